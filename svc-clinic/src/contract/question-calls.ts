import { defineCalls } from '@clinic/contracts/define-calls';
import { asSeen, id, optionalLines, optionalText, text } from '@clinic/contracts/schemas/fields';
import { z } from 'zod';
import { shownVisit } from './appointment-schema.ts';
import { patientOrDoctor } from './desk.ts';
import { hasChoices, questionKinds, questionLimits as limits } from './question-limits.ts';

const admin = { kind: 'restricted', roles: ['admin'] } as const;
const askedOfAll = 'what the clinic asks everybody';

/** Names a question in its form, so that its answer follows it through the form's versions. */
const questionId = z.string().regex(/^[a-z\d]{1,24}$/, 'A question’s ID must have 1 to 24 letters and digits');

export const question = z.object({
  id: questionId,
  text: text('Question'),
  kind: z.enum(questionKinds, { error: `Kind must be one of ${questionKinds.join(', ')}` }),
  /** Only within the form, which nobody has to answer. */
  required: z.boolean({ error: 'Required must be true or false' }),
  /** What to choose from: with `one of` and `several of`. */
  choices: z
    .array(text('Choice'))
    .max(limits.choices, `A question can have up to ${limits.choices} choices`)
    .optional(),
});
export type Question = z.output<typeof question>;

const asked = question.superRefine(({ kind, choices = [] }, context) => {
  const fault = (message: string) => context.addIssue({ code: 'custom', path: ['choices'], message });
  if (!hasChoices(kind) && choices.length > 0) fault('Only questions with a choice have choices');
  if (hasChoices(kind) && choices.length < 2) fault('Enter at least two choices');
  if (new Set(choices).size < choices.length) fault('Each choice must be there once');
});

/** A form as admins see it. */
export const questionForm = z.object({
  _id: id,
  /** Whose visits it is asked before; empty: of all specialties that have no form of their own. */
  specialty: z.string(),
  /** From 1; each save is a new one. */
  version: z.number(),
  /** False once it is stopped: nobody is asked any more. */
  asked: z.boolean(),
  /** ISO instant. */
  savedAt: z.string(),
  questions: z.array(question),
});
export type QuestionForm = z.output<typeof questionForm>;

const version = (least: number) =>
  z
    .number({ error: 'Version must be a number' })
    .int('Version must be a whole number')
    .min(least, 'Version is too small');

/** An answer: the text, or what was chosen; empty if the question was left out. */
const answer = z.object({ id: questionId, answer: z.array(z.string()) });
export type Answer = z.output<typeof answer>;

/** The questions before a visit, with what was answered. */
export const visitQuestions = z.object({
  ...shownVisit.shape,
  /** The form's id and version; absent if nothing is asked before this visit. */
  form: id.optional(),
  version: z.number().optional(),
  questions: z.array(question),
  answers: z.array(answer),
  /** ISO instant; absent if nothing is answered yet. */
  answeredAt: z.string().optional(),
  /** Whether the caller can answer, or change the answers. */
  open: z.boolean(),
});
export type VisitQuestions = z.output<typeof visitQuestions>;

/** The calls about the questions before a visit; only their screens load them. */
export const questionCalls = defineCalls('clinic', {
  listQuestionForms: {
    method: 'GET',
    path: '/appoinments/question-forms',
    access: admin,
    summary: 'List the forms with questions before a visit, by specialty',
    response: z.array(questionForm),
    unnoted: askedOfAll,
  },
  saveQuestionForm: {
    method: 'POST',
    path: '/appoinments/question-forms',
    errors: ['changed_meanwhile', 'idempotency_mismatch', 'in_progress'],
    idempotent: true,
    access: admin,
    summary: 'Save the questions before visits of a specialty as a new version of its form; they are asked from now on',
    body: z.object({
      specialty: optionalText('Specialty'),
      /** The version on the editor's screen; 0: there was no form. */
      version: version(0),
      questions: z
        .array(asked)
        .min(1, 'Ask at least one question')
        .max(limits.questions, `A form can have up to ${limits.questions} questions`)
        .refine((all) => new Set(all.map((one) => one.id)).size === all.length, 'Each question needs its own ID'),
    }),
    response: questionForm,
    unnoted: askedOfAll,
    decides: { 'body.specialty': 'database', 'body.version': 'record', 'body.questions': 'content' },
  },
  changeQuestionForm: {
    method: 'PATCH',
    path: '/appoinments/question-forms/:id',
    errors: ['not_found', 'changed_meanwhile'],
    access: admin,
    summary: 'Stop asking the questions of a form, or ask them again; answers stay',
    params: z.object({ id }),
    body: z.object({ version: version(1), asked: z.boolean({ error: 'Asked must be true or false' }) }),
    response: questionForm,
    unnoted: askedOfAll,
    decides: { 'params.id': 'record', 'body.version': 'record', 'body.asked': 'content' },
  },
  listOpenQuestions: {
    method: 'GET',
    path: '/appoinments/questions',
    access: { kind: 'session' },
    summary: "List the caller's coming visits before which there are questions that they haven't answered",
    /** `_id`: of the appointment. */
    response: z.array(shownVisit.extend({ _id: id, questions: z.number() })),
  },
  getVisitQuestions: {
    method: 'GET',
    path: '/appoinments/:id/questions',
    errors: ['not_found'],
    access: { ...admin, owners: patientOrDoctor },
    summary: 'Get the questions before a visit, with what its patient answered',
    params: z.object({ id }),
    response: visitQuestions,
    decides: { 'params.id': 'record' },
    shows: { what: 'answers', whose: 'told' },
  },
  answerQuestions: {
    method: 'PATCH',
    path: '/appoinments/:id/questions',
    errors: ['not_found', 'changed_meanwhile', 'transition_refused', 'too_late', 'rate_limited'],
    access: { kind: 'restricted', roles: [], owners: [{ as: 'patient' }] },
    summary: 'Answer the questions before a visit, or change the answers until the doctor sees the patient',
    params: z.object({ id }),
    body: z.object({
      /** The form and version that was on screen. */
      form: id,
      version: version(1),
      /** When the answers on screen were given; absent if there were none. */
      seen: asSeen(z.string().max(30)),
      answers: z
        .array(
          z.object({
            id: questionId,
            answer: z.array(optionalLines('Answer', limits.longText)).max(limits.choices),
          }),
        )
        .max(limits.questions),
    }),
    response: visitQuestions,
    decides: {
      'params.id': 'record',
      'body.form': 'record',
      'body.version': 'record',
      'body.seen': 'record',
      'body.answers': 'content',
    },
  },
});
