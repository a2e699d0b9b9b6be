import type { Caller } from '@clinic/contracts';
import { countToday, ProblemError } from '@clinic/service-kit';
import type { ClientSession, Db, Filter } from 'mongodb';
import { firstToCome, type ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import { slotHoldingStatuses } from '../contract/transitions.ts';
import type { ClinicContext } from '../settings.ts';
import type { AppointmentRecord } from './appointment-record.ts';

/** Limits on a patient's upcoming appointments. */
export type OpenRules = Pick<
  ClinicContext['settings'],
  'CLINIC_MAX_OPEN_APPOINTMENTS' | 'CLINIC_MAX_OPEN_APPOINTMENTS_UNCONFIRMED'
>;

/** A patient's upcoming appointments: pending or confirmed, from this minute on. */
export function openAppointments(patientId: string, { now, timeZone }: ClinicClock): Filter<AppointmentRecord> {
  const { date, time } = firstToCome(now, timeZone);
  return {
    accounts: patientId,
    patientId,
    status: { $in: [...slotHoldingStatuses] },
    $or: [{ date: { $gt: date } }, { date, time: { $gte: time } }],
  };
}

/**
 * Keeps one patient from booking a doctor's whole day. Counts within the booking's transaction, under the per-user lock
 * (`takeUserLock`), so that concurrent bookings can't exceed the limit.
 *
 * @param patient - who is about to get one more appointment
 * @throws ProblemError `too_many_appointments`
 */
export async function assertRoomForOneMore(
  { appointments }: ClinicCollections,
  patient: Caller,
  rules: OpenRules,
  clock: ClinicClock,
  session: ClientSession,
): Promise<void> {
  const most = patient.confirmed ? rules.CLINIC_MAX_OPEN_APPOINTMENTS : rules.CLINIC_MAX_OPEN_APPOINTMENTS_UNCONFIRMED;
  const open = await appointments
    .find(openAppointments(patient.id, clock), { session, projection: { _id: 1 }, limit: most })
    .toArray();
  if (open.length < most) return;
  const ahead = `You have ${most} upcoming ${most === 1 ? 'appointment' : 'appointments'}`;
  throw new ProblemError('too_many_appointments', {
    detail: patient.confirmed
      ? `${ahead}, the most you can have at a time. Cancel one you don’t need, or call the clinic to book more.`
      : `${ahead}. Confirm your email address to book more: open the link in the email we sent you.`,
  });
}

/**
 * Counts a patient's booking or move towards the daily limit, as each adds to the history permanently. Confirming and
 * cancelling need no limit: each can happen only once per booking or move.
 *
 * @param session - the transaction of the change
 * @param userId - the patient's id
 * @param most - bookings and moves per day
 * @throws ProblemError `rate_limited`, until the clinic's midnight
 */
export function countChange(db: Db, session: ClientSession, userId: string, most: number): Promise<void> {
  const done = 'booked or moved appointments';
  return countToday({ db }, session, userId, {
    act: 'bookings',
    most,
    done,
    instead: 'call the clinic and we’ll do it for you',
  });
}
