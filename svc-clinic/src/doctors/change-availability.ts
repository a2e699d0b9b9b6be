import type { ParsedBody } from '@clinic/contracts';
import { clinicSchemas } from '@clinic/contracts/clinic/schemas';
import { ProblemError } from '@clinic/service-kit';
import type { ClientSession, Collection, ObjectId } from 'mongodb';
import { differenceOf, type RecordChange } from '../record-change.ts';
import type { DoctorRecord } from './doctor-record.ts';

export interface AvailabilityChange {
  readonly doctors: Collection<DoctorRecord>;
  readonly id: ObjectId;
  readonly requested: ParsedBody<'changeAvailability'>;
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  readonly today: string;
  readonly recordChange: RecordChange;
}

type Availability = Required<Pick<DoctorRecord, 'availableTimes' | 'daysOff' | 'isAvailable'>>;

/**
 * Changes when a doctor can be booked; does nothing if nothing differs. Existing appointments stay as they are; see
 * `appointmentsOutsideTimes` for those that no longer fit.
 *
 * @param session - the transaction of profile and event
 * @throws ProblemError `not_found`; `validation_failed` if a suspended doctor is set to available, or if the merged lists of
 *   two editors are too long
 */
export async function changeAvailability(
  { doctors, id, requested, today, recordChange }: AvailabilityChange,
  session: ClientSession,
): Promise<DoctorRecord> {
  const doctor = await doctors.findOne({ _id: id }, { session });
  if (!doctor) throw new ProblemError('not_found', { detail: 'We can’t find this doctor.' });
  if (requested.isAvailable && doctor.suspended) {
    const message = 'This doctor’s account is switched off or doesn’t have the doctor role. Change that first';
    throw new ProblemError('validation_failed', { errors: [{ field: 'isAvailable', message }] });
  }
  // Days in the past are dropped with the next change, without counting as one.
  const before: Availability = {
    availableTimes: inOrder(doctor.availableTimes),
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
  await doctors.updateOne({ _id: id }, { $set: after }, { session });
  await recordChange(session, {
    record: { type: 'doctor', id },
    concerns: [doctor.email],
    accounts: [doctor.accountId],
    action: 'availability changed',
    ...difference,
  });
  return { ...doctor, ...after };
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
  const body = clinicSchemas.changeAvailability.body.safeParse(after);
  if (body.success) return;
  throw new ProblemError('validation_failed', {
    errors: body.error.issues.map(({ path, message }) => ({ field: path.join('.'), message })),
  });
}

/** Without duplicates, ascending. */
export function inOrder(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted();
}
