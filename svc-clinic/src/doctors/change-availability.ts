import type { ParsedBody } from '@clinic/contracts';
import { scheduleCalls } from '../contract/schedule-calls.ts';
import { ProblemError } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import type { ClinicClock } from '../clinic-clock.ts';
import { differenceOf, type RequestedChange } from '../record-change.ts';
import { storeAvailability, type Availability } from '../schedule/change-schedule.ts';
import type { HoursRecord } from '../schedule/hours-record.ts';
import { dayFaults } from '../schedule/schedule-faults.ts';
import { changeTimesOfDays } from '../schedule/plain-times.ts';
import { hoursOf, timesOfNextDay } from '../schedule/working-times.ts';
import type { DoctorRecord } from './doctor-record.ts';
import { assertNotSuspended, doctorById } from './read-doctor.ts';

/**
 * Changes when a doctor can be booked; does nothing if nothing differs. Existing appointments stay as they are; see
 * `appointmentsOutsideTimes` for those that no longer fit.
 *
 * Front-ends of earlier releases edit one list of times for all days. For a doctor with weekly hours it shows the next working
 * day's: times added to it are added on every working day, removed ones are removed from every day, and an emptied list closes
 * all days.
 *
 * @param clock - with the holidays
 * @param session - the transaction of profile and event
 * @throws ProblemError `not_found`; `validation_failed` if a suspended doctor is set to available, or if the merged lists of
 *   two editors are too long
 */
export async function changeAvailability(
  { collections, id, requested, recordChange }: RequestedChange<ParsedBody<'changeAvailability'>>,
  clock: ClinicClock,
  session: ClientSession,
): Promise<DoctorRecord> {
  const doctor = await doctorById(collections.doctors, id, session);
  if (requested.isAvailable) assertNotSuspended(doctor, 'isAvailable');
  const { today } = clock;
  const hours = hoursOf(doctor);
  // Days in the past are dropped with the next change, without counting as one.
  const before: Availability = {
    availableTimes: inOrder(hours ? (timesOfNextDay(doctor, clock) ?? []) : doctor.availableTimes),
    daysOff: inOrder(doctor.daysOff ?? []).filter((date) => date >= today),
    isAvailable: doctor.isAvailable,
  };
  const difference = differenceOf(before, {
    availableTimes:
      requested.availableTimes &&
      merged(before.availableTimes, requested.availableTimes, requested.seen?.availableTimes),
    daysOff:
      requested.daysOff &&
      merged(before.daysOff, requested.daysOff, requested.seen?.daysOff).filter((date) => date >= today),
    isAvailable: requested.isAvailable,
  });
  if (!difference) return doctor;
  const after = { ...before, ...difference.after };
  assertLengths(after);
  const errors = dayFaults({ ...after, exceptions: [] }, today, { ...before, exceptions: [] });
  if (errors.length > 0) throw new ProblemError('validation_failed', { errors });
  const stored: Availability & Pick<DoctorRecord, 'hours'> = hours
    ? { ...after, ...withTimes(hours, doctor, before, after) }
    : after;
  await storeAvailability({ collections, recordChange }, doctor, stored, difference, session);
  const { hours: _former, ...kept } = doctor;
  return { ...kept, ...stored };
}

/** The weekly hours with the times that an editor of one list for all days has added and removed. */
function withTimes(
  hours: HoursRecord,
  { availableTimes }: DoctorRecord,
  before: Availability,
  after: Availability,
): Pick<DoctorRecord, 'availableTimes' | 'hours'> {
  if (after.availableTimes.length === 0 && before.availableTimes.length > 0) return { availableTimes: [] };
  const added = after.availableTimes.filter((time) => !before.availableTimes.includes(time));
  const removed = before.availableTimes.filter((time) => !after.availableTimes.includes(time));
  if (added.length === 0 && removed.length === 0) return { availableTimes, hours };
  const changed = changeTimesOfDays(hours, added, removed);
  return { availableTimes: changed.listedTimes, hours: changed };
}

/**
 * Merges an edited list into the stored one.
 *
 * @param present - the list as stored now
 * @param requested - the list after editing
 * @param seen - the list before editing; what others have added or removed since then is kept. Without it `requested`
 *   replaces the list
 */
function merged(present: readonly string[], requested: readonly string[], seen: readonly string[] = present): string[] {
  const added = requested.filter((value) => !seen.includes(value));
  const removed = new Set(seen.filter((value) => !requested.includes(value)));
  return inOrder([...present.filter((value) => !removed.has(value)), ...added]);
}

/** Two valid edits may together exceed the maximum length. */
function assertLengths(after: Availability): void {
  const body = scheduleCalls.changeAvailability.body.safeParse(after);
  if (body.success) return;
  throw new ProblemError('validation_failed', {
    errors: body.error.issues.map(({ path, message }) => ({ field: path.join('.'), message })),
  });
}

/** Without duplicates, ascending. */
export function inOrder(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted();
}
