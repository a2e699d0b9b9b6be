import { lastDayOfMonth } from '@clinic/contracts/clinic-time';

/** The calendar component uses local Dates, of which only year, month and day count: a day is the same in every time zone. */

/** @param date - 'yyyy-mm-dd' */
export function toCalendarDay(date: string): Date {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return new Date(year, month - 1, day);
}

/** @returns 'yyyy-mm-dd' */
export function fromCalendarDay(day: Date): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** First and last day of the month that a day is in, both 'yyyy-mm-dd'. */
export function monthOf(date: string): { readonly first: string; readonly last: string } {
  return { first: `${date.slice(0, 7)}-01`, last: lastDayOfMonth(date) };
}
