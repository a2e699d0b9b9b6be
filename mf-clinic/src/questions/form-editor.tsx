import { draftOf, useDraft, useQueryClient, type ApiProblem } from '@clinic/app-kit';
import { useChange, useLeaveQuestion } from '@clinic/app-kit/records';
import type { QuestionForm } from '@clinic/svc-clinic/contract/question-calls';
import { questionLimits } from '@clinic/svc-clinic/contract/question-limits';
import { Alert, Button, Card } from '@clinic/ui';
import { ConfirmDialog } from '@clinic/ui/tables';
import { useRef, useState, type SyntheticEvent } from 'react';
import { emptyForm, fromDraft, moved, newQuestion, toDraft, type FormDraft, type QuestionDraft } from './form-draft.ts';
import { QuestionEditor } from './question-editor.tsx';
import { QuestionField } from './question-field.tsx';

interface FormEditorProps {
  /** Empty: all specialties without a form of their own. */
  readonly specialty: string;
  readonly name: string;
  /** As it is saved; absent if there is none yet. */
  readonly form: QuestionForm | undefined;
  readonly onClose: () => void;
}

/** The edits of a form, and their saving. */
function useFormEdits({ specialty, name, form }: FormEditorProps) {
  const [key] = useState(() => `question form ${specialty}`);
  const [edits, setEdits] = useState(() => draftOf<FormDraft>(key));
  const draft = edits ?? (form ? toDraft(form) : emptyForm);
  useDraft(key, () => edits, 'forget');
  const client = useQueryClient();
  const sent = useRef<FormDraft>(undefined);
  const save = useChange('saveQuestionForm', {
    invalidates: ['listQuestionForms'],
    success: `The questions are saved, and asked before visits from now on: ${name}`,
    failure: false,
    draft: key,
    // What was edited while it saved stays, as edits of what is saved now.
    onDone: (saved) =>
      setEdits((now) => (now === sent.current ? undefined : now && { ...now, version: saved.version })),
  });

  function edit(questions: readonly QuestionDraft[]): void {
    if (!save.isPending) save.reset();
    setEdits({ version: draft.version, questions });
  }

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    if (save.isPending) return;
    sent.current = edits;
    save.mutate({ body: { specialty, version: draft.version, questions: draft.questions.map(fromDraft) } });
  }

  function discard(): void {
    setEdits(undefined);
    save.reset();
    void client.invalidateQueries({ queryKey: ['listQuestionForms'] });
  }

  return { unsaved: edits !== undefined, questions: draft.questions, save, edit, submit, discard };
}

/** Edits the questions before visits of a specialty, with what patients will see beside it. */
export function FormEditor(props: FormEditorProps) {
  const { name, onClose } = props;
  const { unsaved, questions, save, edit, submit, discard } = useFormEdits(props);
  const leaving = useLeaveQuestion(unsaved);
  const faults = save.error?.problem.errors ?? [];
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card as="section" aria-labelledby="form-title">
        <form noValidate aria-label={`Questions: ${name}`} className="grid gap-6" onSubmit={submit}>
          <h2 id="form-title" className="text-heading font-bold wrap-anywhere">
            {name}
          </h2>
          {questions.map((question, index) => (
            <QuestionEditor
              key={question.id}
              question={question}
              number={index + 1}
              of={questions.length}
              faultOf={(field) => faults.find((one) => one.field.startsWith(`questions.${index}.${field}`))?.message}
              onChange={(changed) => edit(questions.with(index, changed))}
              onMove={(by) => edit(moved(questions, index, by))}
              onRemove={() => edit(questions.toSpliced(index, 1))}
            />
          ))}
          {questions.length < questionLimits.questions && (
            <Button
              variant="secondary"
              size="sm"
              icon="plus"
              className="justify-self-start"
              onClick={() => edit([...questions, newQuestion(questions)])}
            >
              Add a question
            </Button>
          )}
          <Failure error={save.error} onDiscard={discard} />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" icon="check" busy={save.isPending}>
              Save the questions
            </Button>
            <Button variant="ghost" onClick={onClose}>
              Back
            </Button>
          </div>
        </form>
      </Card>
      <Preview questions={questions} />
      <ConfirmDialog
        {...leaving}
        title="Leave without saving?"
        confirmLabel="Leave without saving"
        cancelLabel="Keep editing"
        destructive
      >
        The new questions aren’t saved yet.
      </ConfirmDialog>
    </div>
  );
}

interface FailureProps {
  readonly error: ApiProblem | null;
  /** Drops the edits, and shows what is saved. */
  readonly onDiscard: () => void;
}

/** Why the form isn’t saved, unless a field says so. */
function Failure({ error, onDiscard }: FailureProps) {
  if (!error) return null;
  const faults = error.problem.errors ?? [];
  const elsewhere = faults.filter(({ field }) => !/^questions\.\d+\.(text|choices)/.test(field));
  if (faults.length > 0 && elsewhere.length === 0) return null;
  return (
    <Alert
      kind="error"
      actions={
        error.code === 'changed_meanwhile' && (
          <Button variant="secondary" size="sm" onClick={onDiscard}>
            Show the saved questions
          </Button>
        )
      }
    >
      {elsewhere.length > 0 ? elsewhere.map(({ message }) => message).join('. ') : error.message}
    </Alert>
  );
}

/** The form as patients see it; it can be tried, and sends nothing. */
function Preview({ questions }: Pick<FormDraft, 'questions'>) {
  const [answers, setAnswers] = useState<Readonly<Record<string, readonly string[]>>>({});
  return (
    <Card as="section" aria-labelledby="preview-title" className="grid gap-6 lg:sticky lg:top-6">
      <div>
        <h2 id="preview-title" className="text-heading font-bold">
          As patients see it
        </h2>
        <p className="text-sm text-muted">Try it: nothing is sent.</p>
      </div>
      {questions.map((question) => {
        const shown = fromDraft(question);
        return (
          <QuestionField
            key={question.id}
            id={`preview-${question.id}`}
            question={{ ...shown, text: shown.text || 'Your question' }}
            answer={answers[question.id] ?? []}
            onAnswer={(answer) => setAnswers((now) => ({ ...now, [question.id]: answer }))}
          />
        );
      })}
    </Card>
  );
}
