/**
 * The clinic's wall clock, and the only arithmetic with dates and time zones: a test beside it compares it with Temporal,
 * which browsers and Node don't all have yet, and another one finds arithmetic elsewhere. Appointments are stored as the clinic's local date ('yyyy-mm-dd') and time of day ('HH:mm'):
 * that is what both sides agreed on, even if time zone rules change later.
 */

import { whenNeeded } from './when-needed.ts';

/** A local date and time of day in the clinic's time zone. */
export interface ClinicMoment {
  /** 'yyyy-mm-dd' */
  readonly date: string;
  /** 'HH:mm', 00:00 to 23:59 */
  readonly time: string;
}

/**
 * @param instant - the moment to show
 * @param timeZone - IANA name, e.g. `Asia/Dhaka`
 * @throws RangeError when the time zone is unknown
 */
export function clinicMoment(instant: Date, timeZone: string): ClinicMoment {
  const parts = wallClock(timeZone).formatToParts(instant);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((p) => p.type === type)?.value ?? '';
  return { date: `${part('year')}-${part('month')}-${part('day')}`, time: `${part('hour')}:${part('minute')}` };
}

// Creating a format costs as much as using it fifty times.
const wallClocks = new Map<string, Intl.DateTimeFormat>();

function wallClock(timeZone: string): Intl.DateTimeFormat {
  let format = wallClocks.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    wallClocks.set(timeZone, format);
  }
  return format;
}

const dayMs = 86_400_000;

/** Milliseconds that a time zone's wall clock is ahead of UTC at an instant, given in milliseconds. */
function offsetAt(instant: number, timeZone: string): number {
  const { date, time } = clinicMoment(new Date(instant), timeZone);
  return Date.parse(`${date}T${time}:00Z`) - Math.floor(instant / 60_000) * 60_000;
}

const offsets = new Map<string, number | undefined>();
const mostOffsets = 5_000;

/**
 * The offset of a local day; `undefined` if the clock changes on it or on a neighbouring day. Cached, because lists ask
 * for every row.
 */
function offsetOfDay(date: string, timeZone: string): number | undefined {
  const key = `${timeZone} ${date}`;
  if (!offsets.has(key)) {
    const start = Date.parse(`${date}T00:00:00Z`);
    const before = offsetAt(start - dayMs, timeZone);
    if (offsets.size >= mostOffsets) offsets.clear();
    offsets.set(key, before === offsetAt(start + 2 * dayMs, timeZone) ? before : undefined);
  }
  return offsets.get(key);
}

/**
 * The instant at which the clinic's wall clock shows a moment. A moment skipped by a change to summer time is read with
 * the offset before the change, so one hour later; a repeated moment is its first pass (RFC 5545, section 3.3.5).
 *
 * @param timeZone - IANA name
 */
export function clinicInstant({ date, time }: ClinicMoment, timeZone: string): Date {
  const asUtc = Date.parse(`${date}T${time}:00Z`);
  const steady = offsetOfDay(date, timeZone);
  if (steady !== undefined) return new Date(asUtc - steady);
  const before = offsetAt(asUtc - dayMs, timeZone);
  const after = offsetAt(asUtc + dayMs, timeZone);
  const early = asUtc - before;
  const late = asUtc - after;
  return new Date(offsetAt(early, timeZone) !== before && offsetAt(late, timeZone) === after ? late : early);
}

/** Whether the clinic's wall clock ever shows this moment: changes to summer time skip an hour. */
export function existsInClinic(moment: ClinicMoment, timeZone: string): boolean {
  if (offsetOfDay(moment.date, timeZone) !== undefined) return true;
  const { date, time } = clinicMoment(clinicInstant(moment, timeZone), timeZone);
  return date === moment.date && time === moment.time;
}

/**
 * The minute since 1970 in which the clinic's wall clock shows a moment: intervals of appointments are compared in these,
 * so that midnight and changes of the clocks need no care.
 */
export function clinicMinute(moment: ClinicMoment, timeZone: string): number {
  return Math.floor(clinicInstant(moment, timeZone).getTime() / 60_000);
}

/** Whether the clock of a time zone runs through a day, and its neighbours, without a change. */
export function isSteadyDay(date: string, timeZone: string): boolean {
  return offsetOfDay(date, timeZone) !== undefined;
}

/** Adds whole days to a 'yyyy-mm-dd' date; calendar arithmetic, no time zone involved. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Days from one 'yyyy-mm-dd' date to another. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs;
}

/** Adds months to a 'yyyy-mm-dd' date; a month without the day gets its last day instead. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastDay))).toISOString().slice(0, 10);
}

/** The last day of a date's month. */
export function lastDayOfMonth(date: string): string {
  return addDays(addMonths(`${date.slice(0, 7)}-01`, 1), -1);
}

/** The day of the week, from 0 for Sunday. */
export function dayOfWeek(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

/** Minutes of a day. */
export const minutesOfDay = 1_440;

/** Midnight at the end of a day. */
export const endOfDay = '24:00';

/** The minute of the day of a time, 'HH:mm' or '24:00'. */
export function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

/** The time of a minute counted from midnight; from the next midnight on that of the next day, '24:00' at midnight itself. */
export function timeOf(minute: number): string {
  if (minute === minutesOfDay) return endOfDay;
  const ofDay = minute % minutesOfDay;
  const digits = (part: number): string => String(part).padStart(2, '0');
  return `${digits(Math.floor(ofDay / 60))}:${digits(ofDay % 60)}`;
}

/** Minutes of a span of the day. It reaches past midnight if its end isn't after its start. */
export function minutesOfSpan({ from, until }: { readonly from: string; readonly until: string }): number {
  const minutes = minuteOf(until) - minuteOf(from);
  return minutes > 0 ? minutes : minutes + minutesOfDay;
}

const inUtc = (options: Intl.DateTimeFormatOptions) =>
  whenNeeded(() => new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }));
const day = { month: 'short', day: 'numeric', year: 'numeric' } as const;
const longDate = inUtc({ weekday: 'short', ...day });
const shortDate = inUtc(day);
const timeOfDay = inUtc({ hour: 'numeric', minute: '2-digit' });

/** 'Tue, Dec 1, 2026' for a local date, independent of the browser's time zone. */
export function formatDate(date: string): string {
  return longDate().format(new Date(`${date}T00:00:00Z`));
}

/** 'Dec 1, 2026': short month, day, year, as the inventory shows expiry dates. */
export function formatShortDate(date: string): string {
  return shortDate().format(new Date(`${date}T00:00:00Z`));
}

/** '9:30 AM' for 'HH:mm'. */
export function formatTime(time: string): string {
  return timeOfDay().format(new Date(`2000-01-01T${time}:00Z`));
}

/**
 * A person's age on a day, in full years. People born on 29 February turn a year older on 1 March of common years.
 *
 * @param day - 'yyyy-mm-dd'
 * @param dateOfBirth - 'yyyy-mm-dd'
 */
export function ageOn(day: string, dateOfBirth: string): number {
  const years = Number(day.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return day.slice(5) < dateOfBirth.slice(5) ? years - 1 : years;
}
