/** How a question is answered. */
export const questionKinds = ['short text', 'long text', 'yes or no', 'one of', 'several of'] as const;
export type QuestionKind = (typeof questionKinds)[number];

/** Limits of the questions before a visit: a form is answered on a phone, in a few minutes. */
export const questionLimits = {
  questions: 12,
  choices: 10,
  /** Characters of an answer. */
  shortText: 200,
  longText: 1_000,
} as const;

/** What `yes or no` is answered with. */
export const yesOrNo = ['Yes', 'No'] as const;

/** Whether somebody who asks it has to say between what patients choose. */
export const hasChoices = (kind: QuestionKind): boolean => kind === 'one of' || kind === 'several of';
