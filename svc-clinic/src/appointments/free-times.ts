import { isPast, type ClinicClock } from '../clinic-clock.ts';
import { isBookable } from '../doctors/doctor-record.ts';
import { workingDay, type ScheduledDoctor, type WorkingSlot } from '../schedule/working-times.ts';
import { intervalOf } from './promise.ts';
import type { TakenTime } from './taken-times.ts';

/** The fields that decide when a doctor can be booked. */
export interface BookableDoctor extends ScheduledDoctor {
  readonly isAvailable: boolean;
  /** The account currently isn't an active doctor's. */
  readonly suspended?: boolean;
}

/**
 * Free times on a doctor's day: their working times minus taken and past ones; none on a day off or when the clinic is closed,
 * after the booking horizon, or if the doctor isn't available.
 *
 * @param doctor - whose day it is
 * @param date - the day, 'yyyy-mm-dd' in the clinic's time zone
 * @param taken - the doctor's taken time
 * @returns 'HH:mm', ascending
 */
export function freeTimesOfDay(doctor: BookableDoctor, date: string, taken: TakenTime, clock: ClinicClock): string[] {
  return freeSlotsOfDay(doctor, date, taken, clock).map(({ time }) => time);
}

/** {@link freeTimesOfDay} with the length and the place of each. */
export function freeSlotsOfDay(
  doctor: BookableDoctor,
  date: string,
  taken: TakenTime,
  clock: ClinicClock,
): readonly WorkingSlot[] {
  if (!isBookable(doctor) || date < clock.today || date > clock.bookableUntil) return [];
  const free = workingDay(doctor, date, clock).slots.filter((slot) => !isTaken(slot, date, taken, clock));
  return date === clock.today ? free.filter(({ time }) => !isPast({ date, time }, clock)) : free;
}

/** Whether an appointment or an offer takes some of a slot's time. */
export function isTaken(
  { time, minutes }: Pick<WorkingSlot, 'time' | 'minutes'>,
  date: string,
  taken: TakenTime,
  { timeZone }: Pick<ClinicClock, 'timeZone'>,
): boolean {
  return taken.overlaps(intervalOf({ date, time }, minutes, timeZone));
}
