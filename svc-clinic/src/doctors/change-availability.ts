import type { ParsedBody } from '@clinic/contracts';
import { clinicSchemas } from '@clinic/contracts/schemas/clinic';
import { ProblemError } from '@clinic/service-kit';
import type { ClientSession, Collection, ObjectId } from 'mongodb';
import { differenceOf, type RecordChange } from '../record-change.ts';
import type { DoctorRecord } from './doctor-record.ts';

export interface AvailabilityChange {
  readonly doctors: Collection<DoctorRecord>;
  readonly id: ObjectId;
  readonly wanted: ParsedBody<'changeAvailability'>;
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  readonly today: string;
  readonly recordChange: RecordChange;
}

type Availability = Required<Pick<DoctorRecord, 'availableTimes' | 'daysOff' | 'isAvailable'>>;

/**
 * Changes when a doctor can be booked; asking for what is so already changes nothing. Appointments that are booked already stay as they are; see
 * `appointmentsOutsideTimes` for those that fit no longer.
 *
 * @param session - the transaction that profile and event share
 * @throws ProblemError `not_found`; `validation_failed` when a suspended doctor is to take appointments, or what two
 *   people have added is too much together
 */
export async function changeAvailability({ doctors, id, wanted, today, recordChange }: AvailabilityChange, session: ClientSession): Promise<DoctorRecord> {
  const doctor = await doctors.findOne({ _id: id }, { session });
  if (!doctor) throw new ProblemError('not_found', { detail: 'There is no such doctor.' });
  if (wanted.isAvailable && doctor.suspended) {
    const message = 'This doctor’s account has no doctor’s rights at present. Give it the role, or switch it on, first';
    throw new ProblemError('validation_failed', { errors: [{ field: 'isAvailable', message }] });
  }
  // Days that have passed are nobody's change: they go with the next one.
  const before: Availability = {
    availableTimes: inOrder(doctor.availableTimes), daysOff: inOrder(doctor.daysOff ?? []).filter((date) => date >= today), isAvailable: doctor.isAvailable,
  };
  const difference = differenceOf(before, {
    availableTimes: wanted.availableTimes && merged(before.availableTimes, wanted.availableTimes, wanted.seen?.availableTimes),
    daysOff: wanted.daysOff && merged(before.daysOff, wanted.daysOff, wanted.seen?.daysOff).filter((date) => date >= today),
    isAvailable: wanted.isAvailable,
  });
  if (!difference) return doctor;
  const after = { ...before, ...difference.after };
  assertLengths(after);
  await doctors.updateOne({ _id: id }, { $set: after }, { session });
  await recordChange(session, { record: { type: 'doctor', id }, concerns: [doctor.email], accounts: [doctor.accountId], action: 'availability changed', ...difference });
  return { ...doctor, ...after };
}

/**
 * A list after somebody has edited it.
 *
 * @param present - the list as it is
 * @param wanted - the list as its editor has left it
 * @param seen - the list as its editor found it; what others have added or removed since then stays so. Without it `wanted` replaces the list
 */
function merged(present: readonly string[], wanted: readonly string[], seen: readonly string[] = present): string[] {
  const added = wanted.filter((value) => !seen.includes(value));
  const removed = new Set(seen.filter((value) => !wanted.includes(value)));
  return inOrder([...present.filter((value) => !removed.has(value)), ...added]);
}

/** Two edited lists may together be longer than one may be. */
function assertLengths(after: Availability): void {
  const body = clinicSchemas.changeAvailability.body.safeParse(after);
  if (body.success) return;
  throw new ProblemError('validation_failed', { errors: body.error.issues.map(({ path, message }) => ({ field: path.join('.'), message })) });
}

/** Each once, ascending. */
export function inOrder(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted();
}
