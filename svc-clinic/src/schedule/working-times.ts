import {
  addDays,
  clinicMinute,
  existsInClinic,
  isSteadyDay,
  minuteOf,
  minutesOfDay,
  timeOf,
  type ClinicMoment,
} from '@clinic/contracts';
import { isClosedOn, openRoundTheClock, weekdays } from '@clinic/contracts/opening-days';
import type { ClinicClock } from '../clinic-clock.ts';
import type { HoursRecord } from './hours-record.ts';
import { lengthBetween, plannedSlots, rhythmOn, slotsIn, weeklySegments, type PlannedSlot } from './planned-slots.ts';

/** The fields of a doctor that decide at which times they see patients. */
export interface ScheduledDoctor {
  /** 'HH:mm' in the clinic's time zone, the same every day, unless there are `hours`; empty: no hours. */
  readonly availableTimes: readonly string[];
  /** Days without appointments, 'yyyy-mm-dd' in the clinic's time zone. */
  readonly daysOff?: readonly string[];
  readonly hours?: HoursRecord;
  readonly specialization?: string;
}

/** A time at which a doctor sees a patient. */
export interface WorkingSlot {
  /** 'HH:mm' in the clinic's time zone. */
  readonly time: string;
  /** When the appointment ends, 'HH:mm' or '24:00'; after midnight, that of the next day. */
  readonly until: string;
  /** Length of the appointment. */
  readonly minutes: number;
  /** Empty: the doctor's usual location. */
  readonly place: string;
}

/** Why a doctor has no times on a day. */
type ClosedBecause = 'holiday' | 'day off' | 'no hours';

export interface WorkingDay {
  /** Ascending. */
  readonly slots: readonly WorkingSlot[];
  /** Absent if there are slots. */
  readonly closed?: ClosedBecause;
}

/** The weekly hours that apply to a doctor; `undefined`: the same times every day, as earlier releases stored them. */
export function hoursOf({ hours, availableTimes }: ScheduledDoctor): HoursRecord | undefined {
  if (!hours) return undefined;
  const { listedTimes } = hours;
  const same =
    listedTimes.length === availableTimes.length && listedTimes.every((time, index) => time === availableTimes[index]);
  return same ? hours : undefined;
}

/** Whether a doctor has no hours at all, and so can't be booked. */
export function hasNoHours(doctor: ScheduledDoctor): boolean {
  return hoursOf(doctor) === undefined && doctor.availableTimes.length === 0;
}

/**
 * The times at which a doctor sees patients on a day, booked ones included. Free times, the directory, the preview and
 * the booking rule all follow from it.
 *
 * @param date - 'yyyy-mm-dd' in the clinic's time zone
 */
export function workingDay(doctor: ScheduledDoctor, date: string, clock: ClinicClock): WorkingDay {
  const closed = closedOn(doctor, date, clock);
  if (closed) return { slots: [], closed };
  const planned = whileOpen(slotsOf(doctor)(date), doctor, clock);
  const slots = isOrdinary(planned, date, clock) ? planned : planned.filter(isWorked(doctor, date, clock));
  return slots.length === 0 ? { slots: [], closed: 'no hours' } : { slots };
}

/** The slot at a time, if the doctor sees patients then. */
export function workingSlotAt(
  doctor: ScheduledDoctor,
  { date, time }: ClinicMoment,
  clock: ClinicClock,
): WorkingSlot | undefined {
  return workingDay(doctor, date, clock).slots.find((slot) => slot.time === time);
}

/** Those that the public can book: within the opening hours, unless the doctor's specialty is open round the clock. */
function whileOpen(slots: readonly Slot[], doctor: ScheduledDoctor, { open }: ClinicClock): readonly Slot[] {
  if (!open || openRoundTheClock.some((specialty) => specialty === doctor.specialization)) return slots;
  const isOpen = ({ time, minutes }: Slot): boolean =>
    minuteOf(time) >= open.from && minuteOf(time) + minutes <= open.until;
  return slots.every(isOpen) ? slots : slots.filter(isOpen);
}

function closedOn(doctor: ScheduledDoctor, date: string, clock: ClinicClock): ClosedBecause | undefined {
  if (isClosedOn(date, clock.closed) || clock.holidays.has(date)) return 'holiday';
  return doctor.daysOff?.includes(date) ? 'day off' : undefined;
}

/** Whether no slot reaches across a midnight or a change of the clock, as on nearly every day. */
function isOrdinary(slots: readonly Slot[], date: string, { timeZone }: ClinicClock): boolean {
  return isSteadyDay(date, timeZone) && !slots.some(({ ofNight, overMidnight }) => ofNight || overMidnight);
}

/**
 * Leaves out times that the clock skips, those that a change of the clock moves into another's time, and of hours across
 * midnight those of a closed evening or that reach into a closed day.
 */
function isWorked(doctor: ScheduledDoctor, date: string, clock: ClinicClock): (slot: Slot) => boolean {
  const isClosed = (days: number): boolean => closedOn(doctor, addDays(date, days), clock) !== undefined;
  let end = -Infinity;
  return ({ time, minutes, ofNight, overMidnight }) => {
    if (!existsInClinic({ date, time }, clock.timeZone)) return false;
    if ((ofNight && isClosed(-1)) || (overMidnight && isClosed(1))) return false;
    const start = clinicMinute({ date, time }, clock.timeZone);
    if (start < end) return false;
    end = start + minutes;
    return true;
  };
}

/**
 * The times of a doctor's next working day, which `availableTimes` shows on the wire.
 *
 * @returns `undefined` if the doctor has no hours up to the last bookable day
 */
export function timesOfNextDay(doctor: ScheduledDoctor, clock: ClinicClock): string[] | undefined {
  if (hasNoHours(doctor)) return undefined;
  for (let date = clock.today; date <= clock.bookableUntil; date = addDays(date, 1)) {
    const { slots } = workingDay(doctor, date, clock);
    if (slots.length > 0) return slots.map(({ time }) => time);
  }
  return undefined;
}

/** The slot of the weekly hours and exceptions at a time, whatever holidays and days off there are. */
export function plannedSlot(doctor: ScheduledDoctor, { date, time }: ClinicMoment): WorkingSlot | undefined {
  return slotsOf(doctor)(date).find((slot) => slot.time === time);
}

/** Minutes of an appointment on a day, also outside of the hours. */
export function usualMinutes({ periods }: HoursRecord, date: string): number {
  return rhythmOn(periods, date).slotMinutes;
}

/** Every time of day that occurs in a schedule's weekly hours and exceptions, ascending. */
export function allTimes(hours: Pick<HoursRecord, 'periods' | 'exceptions'>): string[] {
  const { periods, exceptions } = hours;
  const weekly = periods.flatMap((period) =>
    weekdays.flatMap((weekday) => slotsIn(weeklySegments(period, weekday), period)),
  );
  const on = plannedSlots(hours);
  const special = exceptions
    .filter(({ kind }) => kind === 'extra')
    .flatMap(({ date }) => [...on(date), ...on(addDays(date, 1))]);
  return [...new Set([...weekly, ...special].map(({ start }) => timeOf(start % minutesOfDay)))].toSorted();
}

/** A slot with what decides whether it is worked. */
interface Slot extends WorkingSlot {
  readonly ofNight: boolean;
  readonly overMidnight: boolean;
}

const known = new WeakMap<ScheduledDoctor, (date: string) => readonly Slot[]>();

/** The slots that a doctor's hours have room for; built once per record read. */
function slotsOf(doctor: ScheduledDoctor): (date: string) => readonly Slot[] {
  const slots = known.get(doctor) ?? readSlots(doctor);
  known.set(doctor, slots);
  return slots;
}

function readSlots(doctor: ScheduledDoctor): (date: string) => readonly Slot[] {
  const hours = hoursOf(doctor);
  if (!hours) {
    const everyDay = plainSlots(doctor.availableTimes);
    return () => everyDay;
  }
  const planned = plannedSlots(hours);
  // Most days have the very list of another day.
  const named = new WeakMap<readonly PlannedSlot[], readonly Slot[]>();
  return (date) => {
    const slots = planned(date);
    const shown = named.get(slots) ?? slots.map(slotFor);
    named.set(slots, shown);
    return shown;
  };
}

function slotFor({ start, minutes, place, ofNight }: PlannedSlot): Slot {
  const end = start + minutes;
  return { time: timeOf(start), until: timeOf(end), minutes, place, ofNight, overMidnight: end > minutesOfDay };
}

/** Times that are the same every day last until the next at most. */
function plainSlots(availableTimes: readonly string[]): readonly Slot[] {
  const times = [...new Set(availableTimes)].toSorted();
  const minutes = lengthBetween(times);
  return times.map((time) => slotFor({ start: minuteOf(time), minutes, place: '', ofNight: false }));
}
