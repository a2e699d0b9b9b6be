import type { CallResponse } from '@clinic/contracts';
import type { Answer, Question, QuestionForm, VisitQuestions } from '../contract/question-calls.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { ann } from './people.ts';
import { read, type TestClinic, type Who } from './test-clinic.ts';

export const smoke: Question = { id: 'smoke', text: 'Do you smoke?', kind: 'yes or no', required: true };
export const since: Question = { id: 'since', text: 'Since when does it hurt?', kind: 'short text', required: false };
export const pills: Question = {
  id: 'pills',
  text: 'Which of these do you take?',
  kind: 'several of',
  required: false,
  choices: ['Aspirin', 'Insulin', 'Warfarin'],
};
export const yes: Answer[] = [{ id: 'smoke', answer: ['Yes'] }];
export const no: Answer[] = [{ id: 'smoke', answer: ['No'] }];

/** The fields of a form that a test saves. */
export interface Save {
  readonly version?: number;
  readonly specialty?: string;
  readonly questions?: readonly Question[];
}

/** What admins ask before visits, and what patients answer. */
export function questionsAt(clinic: TestClinic) {
  const saving = (
    { version = 0, specialty = 'Cardiologist', questions = [smoke, since, pills] }: Save,
    who: Who = 'admin',
  ) => clinic.as(who)('/appoinments/question-forms', { method: 'POST', json: { specialty, version, questions } });
  const questionsOf = (id: string, who: Who = ann) =>
    read<VisitQuestions>(clinic.as(who), `/appoinments/${id}/questions`);
  const answer = (id: string, { form, version, answeredAt: seen }: VisitQuestions, answers: Answer[], who: Who = ann) =>
    clinic.as(who)(`/appoinments/${id}/questions`, { method: 'PATCH', json: { form, version, seen, answers } });
  return {
    saving,
    /** Saves a form and expects success. */
    save: (fields: Save = {}) => readJson<QuestionForm>(saving(fields), 200),
    /** Starts or stops asking a form. */
    change: ({ _id, version }: QuestionForm, asked: boolean) =>
      clinic.as('admin')(`/appoinments/question-forms/${_id}`, { method: 'PATCH', json: { version, asked } }),
    questionsOf,
    open: (who: Who = ann) => read<CallResponse<'listOpenQuestions'>>(clinic.as(who), '/appoinments/questions'),
    /** Answers what is on the patient's screen. */
    answer,
    answered: async (id: string, answers = yes) =>
      readJson<VisitQuestions>(answer(id, await questionsOf(id), answers), 200),
  };
}
