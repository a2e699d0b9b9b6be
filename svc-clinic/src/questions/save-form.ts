import { isDeepStrictEqual } from 'node:util';
import type { ParsedBody } from '@clinic/contracts';
import { searchKey } from '@clinic/contracts/search-key';
import { isDuplicateKey, newId, ProblemError, rejected } from '@clinic/service-kit';
import type { ClientSession, ObjectId } from 'mongodb';
import type { ClinicCollections } from '../collections.ts';
import type { RecordChange } from '../record-change.ts';
import type { QuestionFormRecord } from './question-record.ts';

export interface FormChange<Requested> {
  readonly collections: ClinicCollections;
  readonly requested: Requested;
  readonly recordChange: RecordChange;
  readonly now: Date;
}

/**
 * Saves a form as its next version, which is asked from now on; the same once more changes nothing. What was answered to earlier ones stays as it was asked.
 *
 * @param session - the transaction of form and event
 * @throws ProblemError `changed_meanwhile` if another admin has saved since the editor opened; `validation_failed` if no
 *   doctor has the specialty
 */
export async function saveQuestionForm(
  { collections, requested, recordChange, now }: FormChange<ParsedBody<'saveQuestionForm'>>,
  session: ClientSession,
): Promise<QuestionFormRecord> {
  const { questionForms } = collections;
  const { version, questions } = requested;
  const specialtyKey = searchKey(requested.specialty);
  const before = await questionForms.findOne({ specialtyKey }, { session });
  // Sent again after a lost response.
  if (before?.version === version + 1 && before.asked && isDeepStrictEqual(before.questions, questions)) return before;
  if ((before?.version ?? 0) !== version) throw savedMeanwhile();
  const saved: QuestionFormRecord = {
    _id: before?._id ?? newId(),
    specialtyKey,
    specialty: before?.specialty ?? (await specialtyOf(collections, specialtyKey, session)),
    version: version + 1,
    asked: true,
    questions,
    savedAt: now,
  };
  if (before) {
    const { matchedCount } = await questionForms.replaceOne({ _id: before._id, version }, saved, { session });
    if (matchedCount === 0) throw savedMeanwhile();
  } else {
    try {
      await questionForms.insertOne(saved, { session });
    } catch (error) {
      throw isDuplicateKey(error) ? savedMeanwhile() : error;
    }
  }
  await recordChange(session, {
    ...about(saved),
    action: 'questions saved',
    before: before && forHistory(before),
    after: forHistory(saved),
  });
  return saved;
}

/**
 * Stops a form, or asks its questions again. Does nothing if it is so already.
 *
 * @throws ProblemError `not_found`; `changed_meanwhile` if another admin has saved the form since
 */
export async function changeQuestionForm(
  {
    id,
    collections: { questionForms },
    requested: { version, asked },
    recordChange,
  }: Omit<FormChange<ParsedBody<'changeQuestionForm'>>, 'now'> & { readonly id: ObjectId },
  session: ClientSession,
): Promise<QuestionFormRecord> {
  const before = await questionForms.findOne({ _id: id }, { session });
  if (!before) throw new ProblemError('not_found', { detail: 'We can’t find this form.' });
  if (before.version !== version) throw savedMeanwhile();
  if (before.asked === asked) return before;
  await questionForms.updateOne({ _id: id, version }, { $set: { asked } }, { session });
  await recordChange(session, {
    ...about(before),
    action: asked ? 'questions asked again' : 'questions stopped',
    before: { asked: before.asked },
    after: { name: inWords(before), asked },
  });
  return { ...before, asked };
}

/** The specialty as its doctors write it. */
async function specialtyOf(
  { doctors }: Pick<ClinicCollections, 'doctors'>,
  specialtyKey: string,
  session: ClientSession,
): Promise<string> {
  if (specialtyKey === '') return '';
  const doctor = await doctors.findOne({ specialtyKey }, { session, projection: { specialization: 1 } });
  if (!doctor) throw rejected('specialty', 'There’s no doctor with this specialty');
  return doctor.specialization;
}

const about = ({ _id: id }: QuestionFormRecord) => ({
  record: { type: 'question form' as const, id },
  concerns: [],
  accounts: [],
});

const inWords = ({ specialty }: Pick<QuestionFormRecord, 'specialty'>): string => specialty || 'all specialties';

const forHistory = (form: QuestionFormRecord) => ({
  name: inWords(form),
  version: form.version,
  asked: form.asked,
  questions: form.questions.map(({ text }) => text),
});

const savedMeanwhile = (): ProblemError =>
  new ProblemError('changed_meanwhile', {
    detail: 'Another admin has saved these questions since you opened them. Load them again, then make your change.',
  });
