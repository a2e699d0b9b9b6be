import { minuteOf, minutesOfDay, timeOf } from '@clinic/contracts';
import { appointmentMinutes } from '@clinic/contracts/limits';
import { weekdays, type Weekday } from '@clinic/contracts/opening-days';
import { scheduleLimits } from '../contract/limits.ts';
import type { HoursRecord, PeriodRecord, WeeklySpanRecord } from './hours-record.ts';
import { lengthBetween, slotsIn, weeklySegments } from './planned-slots.ts';
import { allTimes } from './working-times.ts';

interface Rhythm {
  readonly slotMinutes: number;
  readonly bufferMinutes: number;
}

interface DaySpan {
  readonly from: number;
  readonly until: number;
}

/** The spans that have appointments at exactly these minutes of a day. @param starts - ascending, unique */
function spansOf(starts: readonly number[], { slotMinutes, bufferMinutes }: Rhythm): DaySpan[] {
  const spans: { from: number; until: number; next: number }[] = [];
  for (const start of starts) {
    const until = start + slotMinutes;
    const next = until + bufferMinutes;
    const last = spans.at(-1);
    if (last?.next === start) Object.assign(last, { until, next });
    else spans.push({ from: start, until, next });
  }
  return spans;
}

/** A day's hours as they are kept. What begins after midnight, between others of a night, belongs to the next day. */
function hoursOn(day: Weekday, { from, until }: DaySpan, place: string): WeeklySpanRecord {
  if (from < minutesOfDay) return { day, from: timeOf(from), until: timeOf(until), place };
  const next = weekdays[(weekdays.indexOf(day) + 1) % weekdays.length] ?? day;
  return { day: next, from: timeOf(from - minutesOfDay), until: timeOf(until - minutesOfDay), place };
}

/**
 * Weekly hours with the same times every day.
 *
 * @param availableTimes - 'HH:mm', at least one
 * @returns `undefined` if the times are too irregular to be edited as spans
 */
export function hoursFromTimes(availableTimes: readonly string[]): HoursRecord | undefined {
  const times = [...new Set(availableTimes)].toSorted();
  if (times.length === 0) return undefined;
  const rhythm = { slotMinutes: lengthBetween(times, appointmentMinutes), bufferMinutes: 0 };
  const spans = spansOf(times.map(minuteOf), rhythm);
  if (spans.length > scheduleLimits.spansPerDay) return undefined;
  const hours = weekdays.flatMap((day) => spans.map((span) => hoursOn(day, span, '')));
  return { periods: [{ ...rhythm, hours }], exceptions: [], listedTimes: availableTimes };
}

/**
 * Adds and removes times on every working day of a period, for editors of the previous release, which have one list of
 * times for all days.
 *
 * @param added - 'HH:mm'
 * @param removed - 'HH:mm'
 */
export function changeTimesOfDays(
  { periods, exceptions }: HoursRecord,
  added: readonly string[],
  removed: readonly string[],
): HoursRecord {
  const changed = { periods: periods.map((period) => changePeriod(period, added, removed)), exceptions };
  return { ...changed, listedTimes: allTimes(changed) };
}

function changePeriod(period: PeriodRecord, added: readonly string[], removed: readonly string[]): PeriodRecord {
  const days = weekdays.flatMap((day) => {
    const segments = weeklySegments(period, day);
    if (segments.length === 0) return [];
    // Those of a night that begin after midnight are later than 1,440.
    const kept = slotsIn(segments, period)
      .map(({ start }) => start)
      .filter((start) => !removed.includes(timeOf(start % minutesOfDay)));
    const starts = [...new Set([...kept, ...added.map(minuteOf)])].toSorted((one, other) => one - other);
    return starts.length === 0 ? [] : [{ day, starts, segments, gaps: gapsOf(starts, kept) }];
  });
  const slotMinutes = Math.min(period.slotMinutes, ...days.flatMap(({ gaps }) => gaps));
  // A time added between two others may leave no room for the time between appointments.
  const rhythm = {
    slotMinutes,
    bufferMinutes: Math.min(
      slotMinutes === period.slotMinutes ? period.bufferMinutes : 0,
      ...days.flatMap(({ starts }) => gapsOf(starts, starts).map((gap) => gap - slotMinutes)),
    ),
  };
  const hours = days.flatMap(({ day, starts, segments }) =>
    spansOf(starts, rhythm).map((span) =>
      hoursOn(day, span, segments.find(({ from, until }) => from <= span.from && span.from < until)?.place ?? ''),
    ),
  );
  return { ...period, ...rhythm, hours };
}

/**
 * The minutes that each start leaves until the next. A last one that is new leaves those until midnight.
 *
 * @param starts - ascending, unique
 * @param kept - those that had room before
 */
function gapsOf(starts: readonly number[], kept: readonly number[]): number[] {
  const last = starts.at(-1);
  const until = last === undefined || kept.includes(last) ? [] : [minutesOfDay];
  return [...starts.slice(1), ...until].map((next, index) => next - (starts[index] ?? next));
}
