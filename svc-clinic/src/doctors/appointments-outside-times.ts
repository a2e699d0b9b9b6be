import type { ClinicMoment } from '@clinic/contracts';
import { scheduleLimits } from '../contract/limits.ts';
import type { OutsideAppointment } from '../contract/schedule-schemas.ts';
import type { Collection, ObjectId } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { visitOf } from '../appointments/promise.ts';
import { bookedSlots } from '../appointments/taken-times.ts';
import { forStaff, isPast, type ClinicClock } from '../clinic-clock.ts';
import { toOutside } from '../schedule/outside-appointment.ts';
import { visitAt } from '../schedule/visit.ts';
import { workingDay, workingSlotAt, type ScheduledDoctor } from '../schedule/working-times.ts';

type Promised = ClinicMoment & Pick<AppointmentRecord, 'keptAt' | 'duration' | 'place' | 'overlaps'>;
type PlacedDoctor = ScheduledDoctor & { readonly location: string };

/** How an appointment no longer fits. */
type Misfit = Pick<OutsideAppointment, 'why' | 'now'>;

/** Whether somebody has decided that an appointment stays where it is now. */
export const isKept = ({ date, time, keptAt }: Pick<Promised, 'date' | 'time' | 'keptAt'>): boolean =>
  keptAt?.date === date && keptAt.time === time;

/**
 * What of an appointment's promise no longer fits the doctor's hours: its time, its length or its place.
 *
 * @returns `undefined` if all of it fits, or somebody has decided to keep it
 */
export function misfitOf(record: Promised, doctor: PlacedDoctor, today: ClinicClock): Misfit | undefined {
  // Hours outside the opening hours are the doctor's all the same.
  const clock = forStaff(today);
  const { date, overlaps } = record;
  if (isKept(record)) return undefined;
  if (overlaps) return { why: ['overlap'] };
  if (workingDay(doctor, date, clock).closed) return { why: ['time'] };
  const slot = workingSlotAt(doctor, record, clock);
  if (!slot) return { why: ['time'] };
  const now = visitAt(doctor, slot);
  const promised = visitOf(record);
  const why = [
    ...(now.minutes === promised.minutes ? [] : (['length'] as const)),
    ...(now.place === promised.place ? [] : (['place'] as const)),
  ];
  return why.length === 0 ? undefined : { why, now };
}

/**
 * Upcoming appointments that no longer fit a doctor's hours, earliest first: they stay booked as promised until somebody
 * keeps, moves or cancels them.
 *
 * @param clock - with the holidays
 */
export async function appointmentsOutsideTimes(
  appointments: Collection<AppointmentRecord>,
  doctor: PlacedDoctor & { readonly email: string },
  clock: ClinicClock,
): Promise<AppointmentRecord[]> {
  const held = appointments
    .find(bookedSlots(doctor.email, clock.today))
    .project<Promised & Pick<AppointmentRecord, '_id'>>({
      date: 1,
      time: 1,
      keptAt: 1,
      duration: 1,
      place: 1,
      overlaps: 1,
    })
    .sort({ date: 1, time: 1, _id: 1 });
  const outside: ObjectId[] = [];
  for await (const record of held) {
    if (isPast(record, clock) || !misfitOf(record, doctor, clock)) continue;
    outside.push(record._id);
    if (outside.length === scheduleLimits.outside) break;
  }
  if (outside.length === 0) return [];
  return appointments
    .find({ _id: { $in: outside } })
    .sort({ date: 1, time: 1, _id: 1 })
    .toArray();
}

/** {@link appointmentsOutsideTimes} as the staff's editor lists them, each with what no longer fits. */
export async function listOutside(
  appointments: Collection<AppointmentRecord>,
  doctor: PlacedDoctor & { readonly email: string },
  clock: ClinicClock,
): Promise<OutsideAppointment[]> {
  const found = await appointmentsOutsideTimes(appointments, doctor, clock);
  return found.map((record) => toOutside(record, misfitOf(record, doctor, clock)));
}
