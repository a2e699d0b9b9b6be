import { addDays, dayOfWeek } from '@clinic/contracts/clinic-time';

/** The seven days of a week. @param monday - 'yyyy-mm-dd' */
const weekFrom = (monday: string): string[] => Array.from({ length: 7 }, (_, index) => addDays(monday, index));

/** Whether a text from the address is a day. */
export function isDay(text: string | null): text is string {
  return text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(dayOfWeek(text));
}

const format = (options: Intl.DateTimeFormatOptions) => {
  const written = new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
  return (date: string): string => written.format(new Date(`${date}T00:00:00Z`));
};

/** 'Mon' */
export const shortWeekday = format({ weekday: 'short' });
/** '23' */
export const dayOfMonth = format({ day: 'numeric' });
/** 'Monday, November 23, 2026' */
export const wholeDay = format({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' });

const range = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });

/** 'Nov 23 – 29, 2026' */
export function spanInWords(from: string, until: string): string {
  return range.formatRange(new Date(`${from}T00:00:00Z`), new Date(`${until}T00:00:00Z`));
}

/** The days of a week with their names. @param monday - 'yyyy-mm-dd' */
export const namedDays = (monday: string) =>
  weekFrom(monday).map((day) => ({
    day,
    weekday: shortWeekday(day),
    number: dayOfMonth(day),
    whole: wholeDay(day),
  }));
