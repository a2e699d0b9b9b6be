import {
  hasChoices,
  questionKinds,
  questionLimits,
  type QuestionKind,
} from '@clinic/svc-clinic/contract/question-limits';
import { Button, SelectField, TextAreaField } from '@clinic/ui';
import { Switch } from '@clinic/ui/switch';
import { kindLabels, type QuestionDraft } from './form-draft.ts';

interface QuestionEditorProps {
  readonly question: QuestionDraft;
  /** From 1. */
  readonly number: number;
  readonly of: number;
  /** The service's message about one of its fields. */
  readonly faultOf: (field: 'text' | 'choices') => string | undefined;
  readonly onChange: (question: QuestionDraft) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

const kinds = questionKinds.map((kind) => ({ value: kind, label: kindLabels[kind] }));

/** Fields of one question. */
export function QuestionEditor({ question, number, of, faultOf, onChange, onMove, onRemove }: QuestionEditorProps) {
  const { text, kind, required, choices } = question;
  const error = faultOf('text');
  const choicesError = faultOf('choices');
  return (
    <fieldset className="grid gap-4 border-t border-line pt-5">
      <legend className="float-start font-semibold">Question {number}</legend>
      <TextAreaField
        label="Question"
        required
        rows={2}
        maxLength={200}
        value={text}
        {...(error !== undefined && { error })}
        // One line, however long.
        onChange={({ target }) => onChange({ ...question, text: target.value.replaceAll('\n', ' ') })}
      />
      <SelectField
        label="Answer"
        options={kinds}
        value={kind}
        onChange={({ target }) => onChange({ ...question, kind: target.value as QuestionKind })}
      />
      {hasChoices(kind) && (
        <TextAreaField
          label="Choices"
          required
          hint={`One on each line, up to ${questionLimits.choices}.`}
          value={choices}
          {...(choicesError !== undefined && { error: choicesError })}
          onChange={({ target }) => onChange({ ...question, choices: target.value })}
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Switch
          label="Must be answered to send the form"
          checked={required}
          onChange={(next) => onChange({ ...question, required: next })}
        />
        <div className="flex flex-wrap gap-1">
          <Button
            variant="ghost"
            size="sm"
            disabled={number === 1}
            aria-label={`Move question ${number} up`}
            onClick={() => onMove(-1)}
          >
            Up
          </Button>
          <Button
            variant="ghost"
            size="sm"
            disabled={number === of}
            aria-label={`Move question ${number} down`}
            onClick={() => onMove(1)}
          >
            Down
          </Button>
          <Button
            variant="ghost"
            size="sm"
            icon="trash"
            disabled={of === 1}
            aria-label={`Remove question ${number}`}
            onClick={onRemove}
          >
            Remove
          </Button>
        </div>
      </div>
    </fieldset>
  );
}
