import type { ClinicMoment } from '@clinic/contracts';
import { weekdays, type Weekday } from '@clinic/contracts/opening-days';
import { Temporal } from 'temporal-polyfill';

/**
 * Arithmetic with the clinic's local dates and times, by Temporal. Results are remembered: they never change, lists
 * need the same few for every doctor, and one operation of the polyfill costs more than the rest of a day's free times.
 */
function remembered<Result>(most: number, compute: (key: string) => Result): (key: string) => Result {
  const results = new Map<string, Result>();
  return (key) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = compute(key);
    if (results.size >= most) results.clear();
    results.set(key, result);
    return result;
  };
}

/** @param date - 'yyyy-mm-dd' */
export const weekdayOf: (date: string) => Weekday = remembered(4_000, (date) => {
  // Temporal counts from Monday = 1 to Sunday = 7.
  const weekday = weekdays[Temporal.PlainDate.from(date).dayOfWeek % 7];
  if (weekday === undefined) throw new RangeError(`no weekday: ${date}`);
  return weekday;
});

/** The day after. @param date - 'yyyy-mm-dd' */
export const nextDay: (date: string) => string = remembered(4_000, (date) =>
  Temporal.PlainDate.from(date).add({ days: 1 }).toString(),
);

/** Midnight at the end of a day. */
export const endOfDay = '24:00';

const sinceMidnight = (time: string): Temporal.Duration =>
  time === endOfDay ? Temporal.Duration.from({ hours: 24 }) : Temporal.PlainTime.from('00:00').until(time);

const atDuration = (sinceStart: Temporal.Duration): string =>
  sinceStart.total('minutes') >= 1_440
    ? endOfDay
    : Temporal.PlainTime.from('00:00').add(sinceStart).toString({ smallestUnit: 'minute' });

/** Minutes from one time of the day to a later one. */
export function minutesBetween(from: string, until: string): number {
  return betweenTimes(`${from} ${until}`);
}
const betweenTimes = remembered(4_000, (key) =>
  sinceMidnight(key.slice(6))
    .subtract(sinceMidnight(key.slice(0, 5)))
    .total('minutes'),
);

/** A time of the day some minutes later; '24:00' if that isn't on the same day. */
export function later(time: string, minutes: number): string {
  return laterTime(`${time} ${minutes}`);
}
const laterTime = remembered(10_000, (key) =>
  atDuration(sinceMidnight(key.slice(0, 5)).add({ minutes: Number(key.slice(6)) })),
);

/**
 * Starts of the appointments that fit into a span.
 *
 * @param from - 'HH:mm'
 * @param until - 'HH:mm' or '24:00'; the last appointment ends by then
 * @param slotMinutes - length of an appointment
 * @param bufferMinutes - kept free after each
 */
export function slotStarts(from: string, until: string, slotMinutes: number, bufferMinutes: number): readonly string[] {
  return startsOf(`${from} ${until} ${slotMinutes} ${bufferMinutes}`);
}
const startsOf = remembered(2_000, (key): readonly string[] => {
  const [from = '', until = '', slotMinutes, bufferMinutes] = key.split(' ');
  const starts: string[] = [];
  const step = Number(slotMinutes) + Number(bufferMinutes);
  for (let at = from; minutesBetween(at, until) >= Number(slotMinutes); at = later(at, step)) {
    starts.push(at);
    if (minutesBetween(at, endOfDay) <= step) break;
  }
  return starts;
});

/** Whether a time zone's clock shows every time of a day, from midnight to midnight. @param date - 'yyyy-mm-dd' */
export function isWholeDay(date: string, timeZone: string): boolean {
  return isWholeDayOf(`${date} ${timeZone}`);
}
const isWholeDayOf = remembered(8_000, (key) => {
  const [date = '', timeZone = ''] = key.split(' ');
  const start = Temporal.PlainDate.from(date).toZonedDateTime(timeZone);
  // A zone that moves across the date line skips a day, whose start then falls on another.
  return start.hoursInDay === 24 && start.toPlainDateTime().toString({ smallestUnit: 'minute' }) === `${date}T00:00`;
});

/** Whether the clinic's clock ever shows a moment: changes to summer time skip an hour. */
export function isOnClock({ date, time }: ClinicMoment, timeZone: string): boolean {
  return isWholeDay(date, timeZone) || isShown(`${date}T${time} ${timeZone}`);
}
const isShown = remembered(8_000, (key) => {
  const [moment = '', timeZone = ''] = key.split(' ');
  const shown = Temporal.PlainDateTime.from(moment).toZonedDateTime(timeZone).toPlainDateTime();
  return shown.toString({ smallestUnit: 'minute' }) === moment;
});
