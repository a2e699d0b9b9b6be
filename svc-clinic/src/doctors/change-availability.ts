import type { ParsedBody } from '@clinic/contracts';
import { ProblemError } from '@clinic/service-kit';
import type { ClientSession, Collection, ObjectId } from 'mongodb';
import type { RecordChange } from '../record-change.ts';
import type { DoctorRecord } from './doctor-record.ts';

export interface AvailabilityChange {
  readonly doctors: Collection<DoctorRecord>;
  readonly id: ObjectId;
  readonly wanted: ParsedBody<'changeAvailability'>;
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  readonly today: string;
  readonly recordChange: RecordChange;
}

type Availability = Pick<DoctorRecord, 'availableTimes' | 'daysOff' | 'isAvailable'>;

/**
 * Changes when a doctor can be booked. Appointments that are booked already stay as they are; see
 * `appointmentsOutsideTimes` for those that fit no longer.
 *
 * @param session - the transaction that profile and event share
 * @throws ProblemError `not_found`; `validation_failed` when a suspended doctor is to take appointments
 */
export async function changeAvailability({ doctors, id, wanted, today, recordChange }: AvailabilityChange, session: ClientSession): Promise<DoctorRecord> {
  const doctor = await doctors.findOne({ _id: id }, { session });
  if (!doctor) throw new ProblemError('not_found', { detail: 'There is no such doctor.' });
  if (wanted.isAvailable && doctor.suspended) {
    const message = 'This doctor’s account has no doctor’s rights at present. Give it the role, or switch it on, first';
    throw new ProblemError('validation_failed', { errors: [{ field: 'isAvailable', message }] });
  }
  const before: Availability = { availableTimes: doctor.availableTimes, daysOff: doctor.daysOff ?? [], isAvailable: doctor.isAvailable };
  const after: Availability = {
    availableTimes: inOrder(wanted.availableTimes ?? before.availableTimes),
    daysOff: inOrder(wanted.daysOff ?? before.daysOff ?? []).filter((date) => date >= today),
    isAvailable: wanted.isAvailable ?? before.isAvailable,
  };
  await doctors.updateOne({ _id: id }, { $set: after }, { session });
  await recordChange(session, { record: { type: 'doctor', id }, concerns: [doctor.email], accounts: [doctor.accountId], action: 'availability changed', before, after });
  return { ...doctor, ...after };
}

/** Each once, ascending. */
export function inOrder(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted();
}
