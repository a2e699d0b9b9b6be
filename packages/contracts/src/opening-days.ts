import { addDays, dayOfWeek } from './clinic-time.ts';

export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
export type Weekday = (typeof weekdays)[number];

/**
 * The weekdays on which the clinic is closed. The website's opening hours and doctors' free times both follow from it,
 * so that nobody is offered a day on which the website says closed.
 */
export const closedDays: readonly Weekday[] = [];

/** The day with which weeks begin, in date pickers, calendars and lists of weekdays. */
export const firstWeekday: Weekday = 'Monday';

/** The weekdays in the order of a week. */
export const week: readonly Weekday[] = [
  ...weekdays.slice(weekdays.indexOf(firstWeekday)),
  ...weekdays.slice(0, weekdays.indexOf(firstWeekday)),
];

/** The first day of a day's week. @param date - 'yyyy-mm-dd' */
export function startOfWeek(date: string): string {
  const days = week.indexOf(weekdayOf(date));
  return addDays(date, -days);
}

/** @param date - 'yyyy-mm-dd' */
export function weekdayOf(date: string): Weekday {
  const weekday = weekdays[dayOfWeek(date)];
  if (weekday === undefined) throw new RangeError(`no weekday: ${date}`);
  return weekday;
}

/** @param date - 'yyyy-mm-dd' */
export function isClosedOn(date: string, closed: readonly Weekday[] = closedDays): boolean {
  return closed.includes(weekdayOf(date));
}

/** The open days in words: 'Every day', 'Every day except Friday'. */
export function openDaysText(closed: readonly Weekday[] = closedDays): string {
  return closed.length === 0 ? 'Every day' : `Every day except ${closed.join(' and ')}`;
}

/** Opening hours of an open day, 'HH:mm' or '24:00'. */
export interface OpeningTimes {
  readonly from: string;
  readonly until: string;
}

/** The opening hours that the website shows; the default of svc-clinic's `CLINIC_OPENING_HOURS`. */
export const openingTimes: OpeningTimes = { from: '08:00', until: '20:00' };

/** Specialties whose doctors the public can book at any hour: the website says that emergency care is open 24/7. */
export const openRoundTheClock: readonly string[] = ['Emergency Medicine'];

/** When the clinic is open, in words. */
export function openingHours(closed: readonly Weekday[] = closedDays): string {
  return `${openDaysText(closed)}, ${hourInWords(openingTimes.from)} to ${hourInWords(openingTimes.until)}. Emergency care 24/7.`;
}

/** '8 am' */
function hourInWords(time: string): string {
  const hour = Number(time.slice(0, 2));
  return `${hour % 12 || 12}\u00a0${hour % 24 < 12 ? 'am' : 'pm'}`;
}

/** The open days in https://schema.org/openingHours terms: 'Mo,Tu,We,Th,Sa'. */
export function openDaysCode(closed: readonly Weekday[] = closedDays): string {
  return weekdays
    .filter((day) => !closed.includes(day))
    .map((day) => day.slice(0, 2))
    .join(',');
}
