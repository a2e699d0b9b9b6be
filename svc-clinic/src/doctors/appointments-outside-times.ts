import type { Collection } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { heldSlots } from '../appointments/taken-times.ts';
import { isPast, type ClinicClock } from '../clinic-clock.ts';
import type { DoctorRecord } from './doctor-record.ts';

/** Nobody works through more than this at once; the rest show up as these are dealt with. */
const mostTold = 200;

/**
 * Upcoming appointments outside a doctor's current times or on a day off, earliest first: they stay booked until somebody
 * moves or cancels them.
 */
export async function appointmentsOutsideTimes(
  appointments: Collection<AppointmentRecord>,
  { email, availableTimes, daysOff = [] }: DoctorRecord,
  clock: ClinicClock,
): Promise<AppointmentRecord[]> {
  const misfits = {
    $or: [
      { date: { $in: [...daysOff] } },
      ...(availableTimes.length > 0 ? [{ time: { $nin: [...availableTimes] } }] : []),
    ],
  };
  const held = appointments.find({ ...heldSlots(email, clock.today), ...misfits }).sort({ date: 1, time: 1, _id: 1 });
  const found = await held.limit(mostTold).toArray();
  return found.filter((record) => !isPast(record, clock));
}
