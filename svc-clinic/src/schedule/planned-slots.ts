import { addDays, endOfDay, minuteOf, minutesOfDay, minutesOfSpan } from '@clinic/contracts';
import { appointmentMinutes } from '@clinic/contracts/limits';
import { weekdayOf, type Weekday } from '@clinic/contracts/opening-days';
import type { ExceptionRecord, HoursRecord, PeriodRecord } from './hours-record.ts';

/** Hours on one day in minutes from its midnight; those across midnight end after 1,440. */
export interface Segment {
  readonly from: number;
  readonly until: number;
  /** Empty: the doctor's usual location. */
  readonly place: string;
}

/** An appointment that the hours have room for, in minutes from the midnight of the day that it is listed on. */
export interface PlannedSlot {
  readonly start: number;
  readonly minutes: number;
  readonly place: string;
  /** It belongs to the hours of the evening before. */
  readonly ofNight: boolean;
}

type Span = Pick<ExceptionRecord, 'from' | 'until' | 'place'>;
type Rhythm = Pick<PeriodRecord, 'slotMinutes' | 'bufferMinutes'>;

/** The period that applies on a day. */
export function periodOn(periods: readonly PeriodRecord[], date: string): PeriodRecord | undefined {
  return periods.find(
    ({ from, until }) => (from === undefined || from <= date) && (until === undefined || date <= until),
  );
}

/** Extra hours between two periods go by the lengths of the next one, or else of the last. */
export function rhythmOn(periods: readonly PeriodRecord[], date: string): Rhythm {
  const period =
    periodOn(periods, date) ?? periods.find(({ from }) => from !== undefined && from > date) ?? periods.at(-1);
  if (!period) throw new Error('hours without any period');
  return period;
}

/** A span in minutes of its day. */
export function segmentOf({ from, until, place }: Span): Segment {
  const start = minuteOf(from);
  return { from: start, until: start + minutesOfSpan({ from, until }), place };
}

/** A period's hours that begin on a weekday, in order. */
export function weeklySegments({ hours }: PeriodRecord, weekday: Weekday): readonly Segment[] {
  return hours
    .filter(({ day }) => day === weekday)
    .map(segmentOf)
    .toSorted(byStart);
}

/**
 * The hours that begin on a day, extra ones included and those that are off not yet taken out. Where hours overlap, the
 * place that was said last applies. Overlapping hours of one place make one longer span, so that the extra ones go on in
 * the rhythm of the others; spans that only touch stay apart.
 */
export function segmentsOn({ periods, exceptions }: Hours, date: string): readonly Segment[] {
  const period = periodOn(periods, date);
  const weekly = period ? weeklySegments(period, weekdayOf(date)) : [];
  const extra = exceptions.filter((one) => one.date === date && one.kind === 'extra').map(segmentOf);
  return extra.length === 0 ? weekly : joined([...weekly, ...extra]);
}

/** @param spans - a later one's place wins */
function joined(spans: readonly Segment[]): readonly Segment[] {
  const bounds = [...new Set(spans.flatMap(({ from, until }) => [from, until]))].toSorted((one, other) => one - other);
  const segments: Segment[] = [];
  for (const [index, from] of bounds.entries()) {
    const covering = spans.filter((span) => span.from <= from && from < span.until);
    const until = bounds[index + 1];
    if (covering.length === 0 || until === undefined) continue;
    const place = covering.findLast((span) => span.place !== '')?.place ?? '';
    const last = segments.at(-1);
    const goesOn = last?.until === from && last.place === place && covering.some((span) => span.from < from);
    if (last && goesOn) segments[segments.length - 1] = { ...last, until };
    else segments.push({ from, until, place });
  }
  return segments;
}

const byStart = (one: Segment, other: Segment): number => one.from - other.from;

/**
 * The appointments that a day's hours have room for. The time between appointments is kept between spans, too.
 *
 * @param free - the first minute that the evening before leaves
 */
export function slotsIn(
  segments: readonly Segment[],
  { slotMinutes, bufferMinutes }: Rhythm,
  free = 0,
): Omit<PlannedSlot, 'ofNight'>[] {
  const slots: Omit<PlannedSlot, 'ofNight'>[] = [];
  let next = free;
  for (const { from, until, place } of segments) {
    for (let start = Math.max(from, next); start + slotMinutes <= until; start = next) {
      slots.push({ start, minutes: slotMinutes, place });
      next = start + slotMinutes + bufferMinutes;
    }
  }
  return slots;
}

/**
 * The longest appointment, up to the usual length, that fits between all of a day's times and before midnight.
 *
 * @param times - 'HH:mm', ascending, unique
 */
export function lengthBetween(times: readonly string[], most: number = appointmentMinutes): number {
  const gaps = times.map((time, index) => minuteOf(times[index + 1] ?? endOfDay) - minuteOf(time));
  return Math.min(most, ...gaps);
}

type Hours = Pick<HoursRecord, 'periods' | 'exceptions'>;

/** The appointments that begin on a day under weekly hours and exceptions, whatever days off and holidays there are. */
export function plannedSlots(hours: Hours): (date: string) => readonly PlannedSlot[] {
  const { periods, exceptions } = hours;
  const special = new Set(exceptions.map(({ date }) => date));
  const overnight = [...periods.flatMap((period) => period.hours), ...exceptions].some(
    (span) => minuteOf(span.from) + minutesOfSpan(span) > minutesOfDay,
  );
  const weekly = new Map<string, readonly PlannedSlot[]>();

  /** Those of the hours that begin on a day. @param free - see {@link slotsIn} */
  const beginning = (date: string, free = 0) => slotsIn(segmentsOn(hours, date), rhythmOn(periods, date), free);
  /** The first minute of a day that the hours of the day before leave free. */
  const leftBy = (date: string): number => {
    const last = beginning(date).at(-1);
    return last ? last.start + last.minutes + rhythmOn(periods, date).bufferMinutes - minutesOfDay : 0;
  };
  const ofDay = (date: string) => beginning(date, Math.max(0, leftBy(addDays(date, -1))));
  const off = (date: string): Segment[] =>
    [-1, 0, 1].flatMap((days) =>
      exceptions
        .filter((one) => one.kind === 'off' && one.date === addDays(date, days))
        .map(segmentOf)
        .map(({ from, until, place }) => ({
          from: from + days * minutesOfDay,
          until: until + days * minutesOfDay,
          place,
        })),
    );

  function compute(date: string): readonly PlannedSlot[] {
    const before = overnight ? ofDay(addDays(date, -1)) : [];
    const night = before
      .filter(({ start }) => start >= minutesOfDay)
      .map((slot) => ({ ...slot, start: slot.start - minutesOfDay, ofNight: true }));
    const own = (overnight ? ofDay(date) : beginning(date))
      .filter(({ start }) => start < minutesOfDay)
      .map((slot) => ({ ...slot, ofNight: false }));
    const blocked = off(date);
    let end = 0;
    return [...night, ...own].filter(({ start, minutes }) => {
      if (start < end || blocked.some((one) => start < one.until && one.from < start + minutes)) return false;
      end = start + minutes;
      return true;
    });
  }

  return (date) => {
    if (overnight || special.has(date)) return compute(date);
    const period = periodOn(periods, date);
    if (!period) return [];
    const key = `${periods.indexOf(period)} ${weekdayOf(date)}`;
    const slots = weekly.get(key) ?? compute(date);
    weekly.set(key, slots);
    return slots;
  };
}
