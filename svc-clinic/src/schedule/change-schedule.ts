import type { ParsedBody } from '@clinic/contracts';
import { ProblemError } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { assertNotSuspended, doctorById } from '../doctors/read-doctor.ts';
import { aboutProfile, differenceOf, type RecordedChange, type RequestedChange } from '../record-change.ts';
import { scheduleFaults } from './schedule-faults.ts';
import { exceptionInWords, periodInWords } from './schedule-in-words.ts';
import { isChanged, scheduledBy, toSchedule, versionOf, type ScheduleDraft } from './schedule-of.ts';
import { noteFreedTimes } from '../waitlist/freed-times.ts';

/**
 * Replaces parts of a doctor's schedule; does nothing if nothing differs. Existing appointments stay as they are; see
 * `appointmentsOutsideTimes` for those that no longer fit.
 *
 * @param today - 'yyyy-mm-dd' in the clinic's time zone
 * @param session - the transaction of profile and event
 * @throws ProblemError `not_found`; `changed_meanwhile` if somebody else has changed the same part since the editor
 *   read it; `validation_failed` naming the fields
 */
export async function changeSchedule(
  { collections, id, requested, recordChange }: RequestedChange<ParsedBody<'changeSchedule'>>,
  today: string,
  session: ClientSession,
): Promise<DoctorRecord> {
  const doctor = await doctorById(collections.doctors, id, session);
  const { version } = requested;
  const now = versionOf(doctor);
  const present = toSchedule(doctor, today);
  const { periods, exceptions, daysOff: days, takesAppointments = doctor.isAvailable } = requested;
  const draft: ScheduleDraft = {
    periods: periods ?? present.periods,
    exceptions: exceptions ?? present.exceptions,
    daysOff: days ?? present.daysOff,
  };
  if (
    ((periods ?? exceptions) !== undefined && isChanged('hours', version, now)) ||
    (days !== undefined && isChanged('daysOff', version, now)) ||
    (requested.takesAppointments !== undefined && isChanged('takes', version, now))
  )
    throw new ProblemError('changed_meanwhile', {
      detail: 'Someone else has changed these hours since you opened them. Reload them, and make your changes again.',
    });
  const errors = scheduleFaults(draft, today, present);
  if (errors.length > 0) throw new ProblemError('validation_failed', { errors });
  if (takesAppointments && !doctor.isAvailable) assertNotSuspended(doctor, 'takesAppointments');
  const { hours: _former, ...kept } = doctor;
  const scheduled = scheduledBy(draft, today);
  // A change of days off alone leaves plain times as they are, so that it doesn't conflict with a change of the hours.
  const changed: DoctorRecord =
    (periods ?? exceptions) === undefined
      ? { ...doctor, isAvailable: takesAppointments, daysOff: scheduled.daysOff ?? [] }
      : { ...kept, isAvailable: takesAppointments, ...scheduled };
  const difference = differenceOf(inWords(doctor, today), inWords(changed, today));
  if (!difference) return doctor;
  const { isAvailable, availableTimes, daysOff = [], hours } = changed;
  const stored = { isAvailable, availableTimes, daysOff, ...(hours && { hours }) };
  await storeAvailability({ collections, recordChange }, doctor, stored, difference, session);
  return changed;
}

/** When a doctor can be booked, as it is stored. */
export type Availability = Required<Pick<DoctorRecord, 'availableTimes' | 'daysOff' | 'isAvailable'>>;

/** Writes when a doctor can be booked, lets the waitlist have what has become free, and adds the change to the history. */
export async function storeAvailability(
  { collections, recordChange }: Pick<RequestedChange<unknown>, 'collections' | 'recordChange'>,
  doctor: DoctorRecord,
  stored: Availability & Pick<DoctorRecord, 'hours'>,
  difference: Pick<RecordedChange, 'before' | 'after'>,
  session: ClientSession,
): Promise<void> {
  await collections.doctors.updateOne(
    { _id: doctor._id },
    { $set: stored, ...(!stored.hours && { $unset: { hours: '' } }) },
    { session },
  );
  await noteFreedTimes(collections, { doctorEmail: doctor.email }, session);
  await recordChange(session, { ...aboutProfile('doctor', doctor), action: 'availability changed', ...difference });
}

/** A schedule for the history: in words, as only people read it. */
function inWords(doctor: DoctorRecord, today: string) {
  const { takesAppointments, periods, daysOff, exceptions } = toSchedule(doctor, today);
  return {
    isAvailable: takesAppointments,
    weeklyHours: periods.length === 0 ? ['none'] : periods.flatMap(periodInWords),
    daysOff,
    exceptions: exceptions.map(exceptionInWords),
  };
}
