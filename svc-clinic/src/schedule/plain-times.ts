import { minuteOf, timeOf } from '@clinic/contracts';
import { appointmentMinutes, scheduleLimits } from '@clinic/contracts/limits';
import { weekdays } from '@clinic/contracts/opening-days';
import type { HoursRecord, PeriodRecord, WeeklySpanRecord } from './hours-record.ts';
import { lengthBetween, slotsIn, weeklySegments } from './planned-slots.ts';
import { allTimes } from './working-times.ts';

interface Rhythm {
  readonly slotMinutes: number;
  readonly bufferMinutes: number;
}

type DaySpan = Pick<WeeklySpanRecord, 'from' | 'until'>;

/** The spans that have appointments at exactly these times. @param times - ascending, unique */
function spansOf(times: readonly string[], { slotMinutes, bufferMinutes }: Rhythm): DaySpan[] {
  const spans: { from: string; until: string; next: number }[] = [];
  for (const time of times) {
    const until = timeOf(minuteOf(time) + slotMinutes);
    const next = minuteOf(time) + slotMinutes + bufferMinutes;
    const last = spans.at(-1);
    if (last?.next === minuteOf(time)) Object.assign(last, { until, next });
    else spans.push({ from: time, until, next });
  }
  return spans.map(({ from, until }) => ({ from, until }));
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
  const spans = spansOf(times, rhythm);
  if (spans.length > scheduleLimits.spansPerDay) return undefined;
  const hours = weekdays.flatMap((day) => spans.map((span) => ({ day, ...span, place: '' })));
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
    const spans = period.hours.filter((span) => span.day === day);
    if (spans.length === 0) return [];
    const starts = slotsIn(weeklySegments(period, day), period).map(({ start }) => timeOf(start));
    const times = [...new Set([...starts, ...added])].filter((time) => !removed.includes(time)).toSorted();
    return times.length === 0 ? [] : [{ day, times, spans }];
  });
  const slotMinutes = Math.min(
    period.slotMinutes,
    ...days.map(({ times }) => lengthBetween(times, period.slotMinutes)),
  );
  // A time added between two others may leave no room for the time between appointments.
  const rhythm = {
    slotMinutes,
    bufferMinutes: Math.min(
      slotMinutes === period.slotMinutes ? period.bufferMinutes : 0,
      ...days.flatMap(({ times }) => gapsOf(times).map((gap) => gap - slotMinutes)),
    ),
  };
  const hours = days.flatMap(({ day, times, spans }) =>
    spansOf(times, rhythm).map(({ from, until }) => ({
      day,
      from,
      until,
      place: spans.find((span) => span.from <= from && from < span.until)?.place ?? '',
    })),
  );
  return { ...period, ...rhythm, hours };
}

const gapsOf = (times: readonly string[]): number[] =>
  times.slice(1).map((time, index) => minuteOf(time) - minuteOf(times[index] ?? time));
