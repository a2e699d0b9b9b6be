import { clinicMoment, slotHoldingStatuses } from '@clinic/contracts';
import { ProblemError } from '@clinic/service-kit';
import type { ClientSession, Filter } from 'mongodb';
import type { ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import type { AppointmentRecord } from './appointment-record.ts';

/** Appointments of a patient that are still to come: pending or confirmed, from this minute on. */
export function openAppointments(patientEmail: string, { now, timeZone }: ClinicClock): Filter<AppointmentRecord> {
  const { date, time } = clinicMoment(now, timeZone);
  return { patientEmail, status: { $in: [...slotHoldingStatuses] }, $or: [{ date: { $gt: date } }, { date, time: { $gte: time } }] };
}

/**
 * Nobody keeps a doctor's whole day from everybody else. It counts within the booking's transaction, whose person takes
 * turns (`takePersonTurn`), so that many bookings at the same moment don't get past it.
 *
 * @param most - open appointments a patient may have, the one that is about to be made included
 * @throws ProblemError `too_many_appointments`
 */
export async function assertRoomForOneMore({ appointments }: ClinicCollections, patientEmail: string, most: number, clock: ClinicClock, session: ClientSession): Promise<void> {
  const open = await appointments.find(openAppointments(patientEmail, clock), { session, projection: { _id: 1 }, limit: most }).toArray();
  if (open.length < most) return;
  throw new ProblemError('too_many_appointments', {
    detail: `You have ${most} ${most === 1 ? 'appointment' : 'appointments'} ahead, the most one person can keep at a time. Cancel one you no longer need, or call the clinic: we book further ones for you.`,
  });
}
