import type { VisitQuestions } from '@clinic/svc-clinic/contract/question-calls';
import { Details } from '@clinic/ui/tables';

/** What a patient answered, question by question. */
export function GivenAnswers({ questions, answers }: Pick<VisitQuestions, 'questions' | 'answers'>) {
  const given = new Map(answers.map(({ id, answer }) => [id, answer]));
  return (
    <Details
      items={questions.map(({ id, text }) => [
        text,
        <span key={id} className="wrap-anywhere whitespace-pre-line">
          {given.get(id)?.join(', ') || '–'}
        </span>,
      ])}
    />
  );
}
