import { isDeepStrictEqual } from 'node:util';
import type { FieldError, ParsedBody } from '@clinic/contracts';
import { countToday, ProblemError, type DailyAct, type SessionCaller } from '@clinic/service-kit';
import type { ClientSession, Db, ObjectId } from 'mongodb';
import { appointmentById, changedMeanwhile } from '../appointments/appointment-change.ts';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import type { ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import type { Question } from '../contract/question-calls.ts';
import { hasChoices, questionLimits, yesOrNo } from '../contract/question-limits.ts';
import { aboutAppointment, type RecordChange } from '../record-change.ts';
import { canAnswer, formsFor } from './asked-questions.ts';
import type { AnsweredForm, GivenAnswer } from './question-record.ts';

export interface Answering {
  readonly db: Db;
  readonly collections: ClinicCollections;
  readonly id: ObjectId;
  readonly caller: Pick<SessionCaller, 'id'>;
  readonly clock: ClinicClock;
  readonly requested: ParsedBody<'answerQuestions'>;
  readonly recordChange: RecordChange;
  /** Throws unless the caller is the appointment's patient. */
  readonly assertMayTouch: (record: AppointmentRecord) => void;
}

/** A form has a dozen questions, and people have ten visits ahead. */
const answering: DailyAct = { act: 'answers', most: 50, done: 'answered questions', instead: 'tell the doctor' };

/**
 * Keeps a patient's answers with the questions as they were asked, in place of earlier ones. The same answers again change
 * nothing: a client may repeat a request whose response it lost.
 *
 * @param session - the transaction of answers, note and event
 * @returns the appointment with its answers
 * @throws ProblemError `not_found`, `forbidden`; `too_late` once the doctor sees the patient, or the visit is over; `changed_meanwhile` if the questions, or
 *   the answers, aren't those on screen; `validation_failed` naming the questions; `rate_limited`
 */
export async function answerQuestions(answer: Answering, session: ClientSession): Promise<AppointmentRecord> {
  const { db, collections, id, caller, clock, requested, recordChange } = answer;
  const record = await appointmentById(collections, id, session);
  answer.assertMayTouch(record);
  const { questions, form, version } = await onScreen(answer, record, session);
  const answers = given(questions, requested.answers);
  if (record.answers && isDeepStrictEqual(record.answers, answers)) return record;
  if (!canAnswer(record, clock))
    throw new ProblemError('too_late', {
      detail: 'Questions can be answered until the doctor sees you. Tell the doctor.',
    });
  if (record.answered?.at.toISOString() !== requested.seen)
    throw new ProblemError('changed_meanwhile', {
      detail: 'These questions have been answered in another window. Load the page again to see the answers.',
    });
  await countToday({ db }, session, caller.id, answering);
  const answered: AnsweredForm = { form, version, at: clock.now };
  // If the snapshot is older than the record, this decides: whoever moved, called or answered first.
  const { matchedCount } = await collections.appointments.updateOne(
    {
      _id: id,
      status: record.status,
      date: record.date,
      time: record.time,
      'answered.at': record.answered?.at ?? { $exists: false },
      'attendance.state': record.attendance?.state ?? { $exists: false },
    },
    { $set: { answered, answers } },
    { session },
  );
  if (matchedCount === 0) throw changedMeanwhile();
  await recordChange(session, {
    ...aboutAppointment(record),
    action: 'questions answered',
    // Nothing medical.
    before: record.answers ? { answers: 'given' } : {},
    after: { answers: record.answers ? 'changed' : 'given' },
  });
  return { ...record, answered, answers };
}

/** The questions that the patient saw: those they answered before, or those that are asked now. */
async function onScreen(
  { collections, requested }: Answering,
  record: AppointmentRecord,
  session: ClientSession,
): Promise<Omit<AnsweredForm, 'at'> & { readonly questions: readonly Question[] }> {
  const isSeen = (form: ObjectId, version: number): boolean =>
    form.equals(requested.form) && version === requested.version;
  const { answered, answers } = record;
  if (answered && answers && isSeen(answered.form, answered.version))
    return { ...answered, questions: answers.map(({ answer: _answer, ...question }) => question) };
  const asked = (await formsFor(collections, [record], session))(record);
  if (!asked || !isSeen(asked._id, asked.version))
    throw new ProblemError('changed_meanwhile', {
      detail:
        'The clinic has changed these questions since you opened them. Load them again: what you typed stays, except under a changed question.',
    });
  return { form: asked._id, version: asked.version, questions: asked.questions };
}

/** The questions with their answers. @throws ProblemError `validation_failed` naming the questions */
function given(questions: readonly Question[], sent: ParsedBody<'answerQuestions'>['answers']): GivenAnswer[] {
  const found = new Map(sent.map(({ id, answer }) => [id, answer.filter((text) => text !== '')]));
  const errors: FieldError[] = [];
  const answers = questions.map((question) => {
    const answer = found.get(question.id) ?? [];
    const message = faultOf(question, answer);
    if (message !== undefined) errors.push({ field: `answers.${question.id}`, message });
    return { ...question, answer };
  });
  if (errors.length > 0) throw new ProblemError('validation_failed', { errors });
  return answers;
}

function faultOf({ kind, required, choices = [] }: Question, answer: readonly string[]): string | undefined {
  if (answer.length === 0) return required ? 'Please answer this question' : undefined;
  if (kind !== 'several of' && answer.length > 1) return 'Only one answer is possible';
  if (kind === 'short text' && answer.some((text) => text.includes('\n') || text.length > questionLimits.shortText))
    return `Please answer in one line of up to ${questionLimits.shortText} characters`;
  const possible: readonly string[] | undefined = hasChoices(kind)
    ? choices
    : kind === 'yes or no'
      ? yesOrNo
      : undefined;
  if (possible && (new Set(answer).size < answer.length || answer.some((text) => !possible.includes(text))))
    return 'Choose from the answers shown';
  return undefined;
}
