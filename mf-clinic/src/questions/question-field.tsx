import type { Question } from '@clinic/svc-clinic/contract/question-calls';
import { questionLimits, yesOrNo } from '@clinic/svc-clinic/contract/question-limits';
import { Button, TextAreaField, TextField } from '@clinic/ui';
import { Choice } from '../choice.tsx';

interface QuestionFieldProps {
  readonly question: Question;
  /** Of its first control. */
  readonly id: string;
  readonly answer: readonly string[];
  readonly error?: string | undefined;
  readonly onAnswer: (answer: readonly string[]) => void;
}

/** A question as its patient sees it. */
export function QuestionField(props: QuestionFieldProps) {
  const { question, id, answer, error, onAnswer } = props;
  const { text, kind, required } = question;
  const field = {
    id,
    label: text,
    required,
    value: answer[0] ?? '',
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      onAnswer(target.value ? [target.value] : []),
    ...(error !== undefined && { error }),
  };
  if (kind === 'short text') return <TextField {...field} autoComplete="off" maxLength={questionLimits.shortText} />;
  if (kind === 'long text') return <TextAreaField {...field} maxLength={questionLimits.longText} />;
  return <Choices {...props} />;
}

function Choices({ question, id, answer, error, onAnswer }: QuestionFieldProps) {
  const { text, kind, required, choices = [] } = question;
  const several = kind === 'several of';
  const faultId = `${id}-error`;
  const chosen = (choice: string): readonly string[] => {
    if (!several) return [choice];
    // In the order in which they are asked.
    return choices.filter((one) => (one === choice ? !answer.includes(one) : answer.includes(one)));
  };
  return (
    <fieldset aria-describedby={error ? faultId : undefined}>
      <legend className="ui-label mb-1 wrap-anywhere" data-required={required || undefined}>
        {text}
      </legend>
      {(kind === 'yes or no' ? yesOrNo : choices).map((choice, index) => (
        <Choice
          key={choice}
          id={index === 0 ? id : undefined}
          type={several ? 'checkbox' : 'radio'}
          name={several ? undefined : id}
          label={choice}
          checked={answer.includes(choice)}
          onChange={() => onAnswer(chosen(choice))}
        />
      ))}
      {!several && !required && answer.length > 0 && (
        <Button variant="link" size="sm" aria-label={`Clear the answer: ${text}`} onClick={() => onAnswer([])}>
          Clear
        </Button>
      )}
      {error && (
        <p id={faultId} role="alert" className="ui-error">
          {error}
        </p>
      )}
    </fieldset>
  );
}
