import type { VisitQuestions } from '@clinic/svc-clinic/contract/question-calls';

/** What a patient answered, question by question. */
export function GivenAnswers({ questions, answers }: Pick<VisitQuestions, 'questions' | 'answers'>) {
  const given = new Map(answers.map(({ id, answer }) => [id, answer]));
  return (
    <dl className="grid gap-4">
      {questions.map(({ id, text }) => (
        <div key={id}>
          <dt className="text-sm wrap-anywhere text-muted">{text}</dt>
          <dd className="font-semibold wrap-anywhere whitespace-pre-line">{given.get(id)?.join(', ') || '–'}</dd>
        </div>
      ))}
    </dl>
  );
}
