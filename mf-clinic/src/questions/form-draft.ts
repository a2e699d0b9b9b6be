import type { Question, QuestionForm } from '@clinic/svc-clinic/contract/question-calls';
import { hasChoices, type QuestionKind } from '@clinic/svc-clinic/contract/question-limits';

/** A question while it is edited: its choices are lines of text. */
export interface QuestionDraft extends Pick<Question, 'id' | 'text' | 'kind' | 'required'> {
  readonly choices: string;
}

/** A form while it is edited. */
export interface FormDraft {
  /** The version that the edits started from; 0: there was none. */
  readonly version: number;
  readonly questions: readonly QuestionDraft[];
}

export const kindLabels: Readonly<Record<QuestionKind, string>> = {
  'short text': 'Short text',
  'long text': 'Long text',
  'yes or no': 'Yes or no',
  'one of': 'One of several choices',
  'several of': 'Any of several choices',
};

/** A question that isn't written yet. @param among - whose IDs are taken */
export function newQuestion(among: readonly Pick<QuestionDraft, 'id'>[]): QuestionDraft {
  const taken = new Set(among.map(({ id }) => id));
  let number = among.length + 1;
  while (taken.has(`q${number}`)) number += 1;
  return { id: `q${number}`, text: '', kind: 'short text', required: false, choices: '' };
}

export const emptyForm: FormDraft = { version: 0, questions: [newQuestion([])] };

export const toDraft = ({ version, questions }: QuestionForm): FormDraft => ({
  version,
  questions: questions.map(({ choices = [], ...question }) => ({ ...question, choices: choices.join('\n') })),
});

/** A question as the service takes it, and as its patient sees it. */
export function fromDraft({ choices, ...question }: QuestionDraft): Question {
  const lines = choices.split('\n').map((line) => line.trim());
  return { ...question, ...(hasChoices(question.kind) && { choices: lines.filter((line) => line !== '') }) };
}

/** The questions with one of them a place further up or down. */
export function moved(questions: readonly QuestionDraft[], from: number, by: -1 | 1): readonly QuestionDraft[] {
  const one = questions[from];
  return one ? questions.toSpliced(from, 1).toSpliced(from + by, 0, one) : questions;
}
