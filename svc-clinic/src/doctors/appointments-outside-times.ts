import type { ClinicMoment } from '@clinic/contracts';
import type { Collection, ObjectId } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { bookedSlots } from '../appointments/taken-times.ts';
import { isPast, type ClinicClock } from '../clinic-clock.ts';
import { takesAnyTime, workingDay, type ScheduledDoctor } from '../schedule/working-times.ts';

/** Maximum per response: enough to work through at once. The rest appear as these are settled. */
const mostListed = 200;

/** Whether a booked appointment is outside a doctor's hours and nobody has decided to keep it there. */
export function isOutsideHours(
  { date, time, keptAt }: ClinicMoment & Pick<AppointmentRecord, 'keptAt'>,
  doctor: ScheduledDoctor,
  clock: ClinicClock,
): boolean {
  if (keptAt?.date === date && keptAt.time === time) return false;
  const { slots, closed } = workingDay(doctor, date, clock);
  if (closed) return true;
  return !takesAnyTime(doctor) && slots.every((slot) => slot.time !== time);
}

/**
 * Upcoming appointments outside a doctor's current hours, on a day off or a holiday, earliest first: they stay booked until
 * somebody keeps, moves or cancels them.
 *
 * @param clock - with the holidays
 */
export async function appointmentsOutsideTimes(
  appointments: Collection<AppointmentRecord>,
  doctor: ScheduledDoctor & { readonly email: string },
  clock: ClinicClock,
): Promise<AppointmentRecord[]> {
  const held = appointments
    .find(bookedSlots(doctor.email, clock.today))
    .project<Pick<AppointmentRecord, '_id' | 'date' | 'time' | 'keptAt'>>({ date: 1, time: 1, keptAt: 1 })
    .sort({ date: 1, time: 1, _id: 1 });
  const outside: ObjectId[] = [];
  for await (const record of held) {
    if (isPast(record, clock) || !isOutsideHours(record, doctor, clock)) continue;
    outside.push(record._id);
    if (outside.length === mostListed) break;
  }
  if (outside.length === 0) return [];
  return appointments
    .find({ _id: { $in: outside } })
    .sort({ date: 1, time: 1, _id: 1 })
    .toArray();
}
