import type { ClientSession } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { dayClock, timedVisit } from '../attendance/attendance-record.ts';
import type { ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import { isOfToday, isWaiting } from '../contract/attendance.ts';
import { slotHoldingStatuses } from '../contract/transitions.ts';
import type { QuestionFormRecord } from './question-record.ts';

type Visit = Pick<AppointmentRecord, 'doctorEmail'>;
type FormOf = (visit: Visit) => QuestionFormRecord | undefined;

/**
 * What is asked before visits: the form of the doctor's specialty, otherwise the clinic's.
 *
 * @param session - of the transaction that depends on it, if there is one
 */
export async function formsFor(
  { doctors, questionForms }: Pick<ClinicCollections, 'doctors' | 'questionForms'>,
  visits: readonly Visit[],
  session?: ClientSession,
): Promise<FormOf> {
  if (visits.length === 0) return () => undefined;
  const options = session && { session };
  const emails = [...new Set(visits.map(({ doctorEmail }) => doctorEmail))];
  const found = await doctors
    .find({ email: { $in: emails } }, options)
    .project<{ readonly email: string; readonly specialtyKey: string }>({ email: 1, specialtyKey: 1 })
    .toArray();
  const specialties = new Map(found.map(({ email, specialtyKey }) => [email, specialtyKey]));
  const forms = await questionForms
    .find({ specialtyKey: { $in: ['', ...new Set(specialties.values())] } }, options)
    .toArray();
  const asked = new Map(forms.filter((form) => form.asked).map((form) => [form.specialtyKey, form]));
  return ({ doctorEmail }) => asked.get(specialties.get(doctorEmail) ?? '') ?? asked.get('');
}

/**
 * Whether the patient can still answer: until the doctor sees them, they have left or were missed. Doctors run late, and
 * the waiting room is where people have the time; so the visit's time doesn't count for whoever has come. Of the others
 * nobody knows whether they are on their way or are seen unnoted: they can until the visit's end. Only an account can: answers
 * are read and changed after a login.
 */
export function canAnswer(
  record: Pick<AppointmentRecord, 'date' | 'time' | 'duration' | 'status' | 'patientId' | 'attendance'>,
  clock: Pick<ClinicClock, 'now' | 'today' | 'timeZone'>,
): boolean {
  if (record.patientId === undefined || !slotHoldingStatuses.some((status) => status === record.status)) return false;
  const visit = timedVisit(record, clock.timeZone);
  if (clock.now.getTime() < visit.end) return visit.state === 'expected' || isWaiting(visit.state);
  return isWaiting(visit.state) && isOfToday(visit, dayClock(clock));
}

/** Which of these visits have questions that wait for an answer. */
export async function openQuestions<
  Listed extends Visit & Parameters<typeof canAnswer>[0] & Pick<AppointmentRecord, 'answered'>,
>(
  collections: Pick<ClinicCollections, 'doctors' | 'questionForms'>,
  visits: readonly Listed[],
  clock: Pick<ClinicClock, 'now' | 'today' | 'timeZone'>,
  session?: ClientSession,
): Promise<readonly { readonly visit: Listed; readonly form: QuestionFormRecord }[]> {
  const waiting = visits.filter((visit) => !visit.answered && canAnswer(visit, clock));
  const formOf = await formsFor(collections, waiting, session);
  return waiting.flatMap((visit) => {
    const form = formOf(visit);
    return form ? [{ visit, form }] : [];
  });
}
