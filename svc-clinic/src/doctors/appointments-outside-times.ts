import type { Collection } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { heldSlots } from '../appointments/taken-times.ts';
import { isPast, type ClinicClock } from '../clinic-clock.ts';
import type { DoctorRecord } from './doctor-record.ts';

/** More than these nobody goes through at once; the next ones come up as these are dealt with. */
const mostTold = 200;

/**
 * Coming appointments that a doctor's times and days off would not allow any more, the earliest first: they stay booked
 * until somebody moves or cancels them.
 */
export async function appointmentsOutsideTimes(
  appointments: Collection<AppointmentRecord>, { email, availableTimes, daysOff = [] }: DoctorRecord, clock: ClinicClock,
): Promise<AppointmentRecord[]> {
  const misfits = {
    $or: [{ date: { $in: [...daysOff] } }, ...(availableTimes.length > 0 ? [{ time: { $nin: [...availableTimes] } }] : [])],
  };
  const held = appointments.find({ ...heldSlots(email, clock.today), ...misfits }).sort({ date: 1, time: 1, _id: 1 });
  const found = await held.limit(mostTold).toArray();
  return found.filter((record) => !isPast(record, clock));
}
