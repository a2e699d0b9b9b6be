import type { ObjectId } from 'mongodb';
import type { Question, QuestionForm } from '../contract/question-calls.ts';

/** A form of questions before a visit, as it is asked now; answers keep the questions that they were given to. */
export interface QuestionFormRecord {
  readonly _id: ObjectId;
  /** As of a doctor; empty: of all specialties without a form of their own. */
  readonly specialtyKey: string;
  readonly specialty: string;
  /** Number of saves. */
  readonly version: number;
  /** False: stopped. */
  readonly asked: boolean;
  readonly questions: readonly Question[];
  readonly savedAt: Date;
}

/** Which questions an appointment's patient answered. */
export interface AnsweredForm {
  readonly form: ObjectId;
  readonly version: number;
  /** The last change. */
  readonly at: Date;
}

/** A question as it was asked, with its answer: empty if it was left out. */
export interface GivenAnswer extends Question {
  readonly answer: readonly string[];
}

/** A form in its wire shape. */
export const toForm = ({ _id, specialty, version, asked, savedAt, questions }: QuestionFormRecord): QuestionForm => ({
  _id: _id.toHexString(),
  specialty,
  version,
  asked,
  savedAt: savedAt.toISOString(),
  questions: [...questions],
});
