import { addDays } from '@clinic/contracts';

/** Hours by weekday, as the demo's doctors have them: without exceptions. A span that ends before it begins ends on the next day. */
export interface WeeklyHours {
  readonly periods: readonly {
    readonly from?: string;
    readonly until?: string;
    readonly slotMinutes: number;
    readonly bufferMinutes: number;
    readonly hours: readonly { readonly day: string; readonly from: string; readonly until: string }[];
  }[];
}

const dayMinutes = 24 * 60;
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const timeOf = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });

/** Times at which visits begin on a day, earliest first. */
export function timesOf(hours: WeeklyHours, date: string): string[] {
  const night = startsOf(hours, addDays(date, -1)).map((minutes) => minutes - dayMinutes);
  return [...night, ...startsOf(hours, date)]
    .filter((minutes) => minutes >= 0 && minutes < dayMinutes)
    .map(timeOf)
    .toSorted();
}

/** Minutes from a day's midnight at which the visits of the spans that begin on it start. */
function startsOf({ periods }: WeeklyHours, date: string): number[] {
  const period = periods.find(({ from = '', until = '9999' }) => from <= date && date <= until);
  if (!period) return [];
  const { slotMinutes, bufferMinutes, hours } = period;
  const day = weekday.format(new Date(`${date}T00:00Z`));
  return hours
    .filter((span) => span.day === day)
    .flatMap(({ from, until }) => {
      const first = minutesOf(from);
      const end = minutesOf(until) + (until <= from ? dayMinutes : 0);
      const step = slotMinutes + bufferMinutes;
      const most = Math.max(0, Math.floor((end - first - slotMinutes) / step) + 1);
      return Array.from({ length: most }, (_, index) => first + index * step);
    });
}
