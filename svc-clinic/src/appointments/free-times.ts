import { appointmentMinutes } from '@clinic/contracts/limits';
import { isPast, type ClinicClock } from '../clinic-clock.ts';
import { isBookable } from '../doctors/doctor-record.ts';
import { later } from '../schedule/local-time.ts';
import { takesAnyTime, workingDay, type ScheduledDoctor, type WorkingSlot } from '../schedule/working-times.ts';

/** The fields that decide when a doctor can be booked. */
export interface BookableDoctor extends ScheduledDoctor {
  readonly isAvailable: boolean;
  /** The account currently isn't an active doctor's. */
  readonly suspended?: boolean;
}

export interface FreeTimesOfDay {
  /** 'HH:mm', ascending. */
  readonly times: string[];
  /** The doctor lists no times: any time of day that isn't taken can be requested. */
  readonly anyTime: boolean;
}

/**
 * Free times on a doctor's day: their working times minus held and past ones; none on a day off or when the clinic is closed,
 * after the booking horizon, or if the doctor isn't available.
 *
 * @param doctor - whose day it is
 * @param date - the day, 'yyyy-mm-dd' in the clinic's time zone
 * @param taken - times of that day held by appointments, 'HH:mm'
 */
export function freeTimesOfDay(
  doctor: BookableDoctor,
  date: string,
  taken: readonly string[],
  clock: ClinicClock,
): FreeTimesOfDay {
  const { slots, anyTime } = freeSlotsOfDay(doctor, date, taken, clock);
  return { times: slots.map(({ time }) => time), anyTime };
}

/** {@link freeTimesOfDay} with the end and the place of each. */
export function freeSlotsOfDay(
  doctor: BookableDoctor,
  date: string,
  taken: readonly string[],
  clock: ClinicClock,
): { readonly slots: readonly WorkingSlot[]; readonly anyTime: boolean } {
  if (!isBookable(doctor) || date < clock.today || date > clock.bookableUntil) return { slots: [], anyTime: false };
  const { slots: working, closed } = workingDay(doctor, date, clock);
  if (closed) return { slots: [], anyTime: false };
  const free = taken.length === 0 ? working : working.filter(notHeld(working, taken));
  const slots = date === clock.today ? free.filter(({ time }) => !isPast({ date, time }, clock)) : free;
  return { slots, anyTime: takesAnyTime(doctor) };
}

/** The times of a day's slots, memoised: the same days recur, and their lists never change. */
const timesOfSlots = new WeakMap<readonly WorkingSlot[], ReadonlySet<string>>();

/** {@link isHeld} for all slots of a day: nearly all appointments are at the time of one. */
function notHeld(working: readonly WorkingSlot[], taken: readonly string[]): (slot: WorkingSlot) => boolean {
  const times = timesOfSlots.get(working) ?? new Set(working.map(({ time }) => time));
  timesOfSlots.set(working, times);
  const reachingIn = taken.filter((time) => !times.has(time));
  return reachingIn.length === 0
    ? ({ time }) => !taken.includes(time)
    : (slot) => !taken.includes(slot.time) && !isHeld(slot, working, reachingIn);
}

/**
 * Whether an appointment holds a slot: one at its time, or one that was booked before the hours changed and reaches into it.
 *
 * @param working - all slots of the day
 */
export function isHeld(slot: WorkingSlot, working: readonly WorkingSlot[], taken: readonly string[]): boolean {
  return taken.some(
    (time) =>
      time === slot.time ||
      (slot.until > slot.time &&
        time < slot.until &&
        slot.time < later(time, appointmentMinutes) &&
        working.every((other) => other.time !== time)),
  );
}
