import { isClosedOn, type Weekday } from '@clinic/contracts/opening-days';
import type { ClinicClock } from '../clinic-clock.ts';
import type { ExceptionRecord, HoursRecord, PeriodRecord } from './hours-record.ts';
import { isOnClock, isWholeDay, later, nextDay, slotStarts, weekdayOf } from './local-time.ts';

/** The fields of a doctor that decide at which times they see patients. */
export interface ScheduledDoctor {
  /** 'HH:mm' in the clinic's time zone, the same every day, unless there are `hours`; empty: any time of day. */
  readonly availableTimes: readonly string[];
  /** Days without appointments, 'yyyy-mm-dd' in the clinic's time zone. */
  readonly daysOff?: readonly string[];
  readonly hours?: HoursRecord;
}

/** A time at which a doctor sees a patient. */
export interface WorkingSlot {
  /** 'HH:mm' in the clinic's time zone. */
  readonly time: string;
  /** When the appointment ends, 'HH:mm' or '24:00'. */
  readonly until: string;
  /** Empty: the doctor's usual location. */
  readonly place: string;
}

/** Why a doctor has no times on a day. */
export type ClosedBecause = 'holiday' | 'day off' | 'no hours';

export interface WorkingDay {
  /** Ascending. */
  readonly slots: readonly WorkingSlot[];
  /** Absent if there are slots, or any time can be requested. */
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

/** Whether a doctor lists no times: patients can ask for any time of day. */
export function takesAnyTime(doctor: ScheduledDoctor): boolean {
  return hoursOf(doctor) === undefined && doctor.availableTimes.length === 0;
}

/**
 * The times at which a doctor sees patients on a day, booked ones included. Free times, the directory, the preview and
 * the booking rule all follow from it.
 *
 * @param date - 'yyyy-mm-dd' in the clinic's time zone
 */
export function workingDay(doctor: ScheduledDoctor, date: string, clock: ClinicClock): WorkingDay {
  if (isClosedOn(date, clock.closed) || clock.holidays.has(date)) return { slots: [], closed: 'holiday' };
  if (doctor.daysOff?.includes(date)) return { slots: [], closed: 'day off' };
  const times = timesOf(doctor);
  const listed = times.on(date);
  const slots = isWholeDay(date, clock.timeZone)
    ? listed
    : listed.filter(({ time }) => isOnClock({ date, time }, clock.timeZone));
  return slots.length === 0 && !takesAnyTime(doctor) ? { slots, closed: 'no hours' } : { slots };
}

/**
 * The times of a doctor's next working day, which `availableTimes` shows on the wire.
 *
 * @returns `undefined` if the doctor has no hours up to the last bookable day
 */
export function timesOfNextDay(doctor: ScheduledDoctor, clock: ClinicClock): string[] | undefined {
  for (let date = clock.today; date <= clock.bookableUntil; date = nextDay(date)) {
    const { slots } = workingDay(doctor, date, clock);
    if (slots.length > 0) return slots.map(({ time }) => time);
  }
  return undefined;
}

/** The slot of the weekly hours and exceptions at a time, whatever holidays and days off there are. */
export function plannedSlot(
  doctor: ScheduledDoctor,
  { date, time }: { readonly date: string; readonly time: string },
): WorkingSlot | undefined {
  return timesOf(doctor)
    .on(date)
    .find((slot) => slot.time === time);
}

/** Minutes of an appointment on a day, also outside of the hours. */
export function usualMinutes({ periods }: HoursRecord, date: string): number {
  return rhythmOn(periods, date).slotMinutes;
}

/** Every time of day that occurs in a schedule's weekly hours and exceptions, ascending. */
export function allTimes({ periods, exceptions }: Pick<HoursRecord, 'periods' | 'exceptions'>): string[] {
  const weekly = periods.flatMap(({ hours, slotMinutes, bufferMinutes }) =>
    hours.flatMap(({ from, until }) => slotStarts(from, until, slotMinutes, bufferMinutes)),
  );
  const extra = exceptions
    .filter(({ kind }) => kind === 'extra')
    .flatMap(({ date, from, until }) => {
      const { slotMinutes, bufferMinutes } = rhythmOn(periods, date);
      return slotStarts(from, until, slotMinutes, bufferMinutes);
    });
  return [...new Set([...weekly, ...extra])].toSorted();
}

/** A doctor's times of a day; built once per record read. */
interface Times {
  readonly on: (date: string) => readonly WorkingSlot[];
}

const known = new WeakMap<ScheduledDoctor, Times>();

function timesOf(doctor: ScheduledDoctor): Times {
  const times = known.get(doctor) ?? readTimes(doctor);
  known.set(doctor, times);
  return times;
}

function readTimes(doctor: ScheduledDoctor): Times {
  const hours = hoursOf(doctor);
  if (hours) return timesOfHours(hours);
  // Plain times have no length: only an appointment at the same time takes them.
  const everyDay = [...new Set(doctor.availableTimes)].sort().map((time) => ({ time, until: time, place: '' }));
  return { on: () => everyDay };
}

function timesOfHours({ periods, exceptions }: HoursRecord): Times {
  const byWeekday = new Map<string, readonly WorkingSlot[]>();
  const byDate = Map.groupBy(exceptions, ({ date }) => date);

  function weekly(period: PeriodRecord, weekday: Weekday): readonly WorkingSlot[] {
    const key = `${periods.indexOf(period)} ${weekday}`;
    const slots = byWeekday.get(key) ?? slotsOf(spansOn(period, weekday), period);
    byWeekday.set(key, slots);
    return slots;
  }

  return {
    on: (date) => {
      const period = periodOn(periods, date);
      const weekday = weekdayOf(date);
      const special = byDate.get(date);
      if (!special) return period ? weekly(period, weekday) : [];
      return withExceptions(period ? spansOn(period, weekday) : [], special, rhythmOn(periods, date));
    },
  };
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
function rhythmOn(periods: readonly PeriodRecord[], date: string): Rhythm {
  const period =
    periodOn(periods, date) ?? periods.find(({ from }) => from !== undefined && from > date) ?? periods.at(-1);
  if (!period) throw new Error('hours without any period');
  return period;
}

/** A period's hours on a weekday, in order. */
export function spansOn({ hours }: PeriodRecord, weekday: Weekday): readonly Span[] {
  return hours.filter(({ day }) => day === weekday).toSorted(byStart);
}

function slotsOf(spans: readonly Span[], { slotMinutes, bufferMinutes }: Rhythm): WorkingSlot[] {
  return spans.flatMap(({ from, until, place }) =>
    slotStarts(from, until, slotMinutes, bufferMinutes).map((time) => ({
      time,
      until: later(time, slotMinutes),
      place,
    })),
  );
}

/**
 * Extra hours that overlap others make one longer span. Hours off remove every appointment that reaches into them; the
 * others keep their times, so that no appointment outside the hours off is stranded.
 */
function withExceptions(
  weekly: readonly Span[],
  exceptions: readonly ExceptionRecord[],
  rhythm: Rhythm,
): WorkingSlot[] {
  const extra = exceptions.filter(({ kind }) => kind === 'extra');
  const off = exceptions.filter(({ kind }) => kind === 'off');
  return slotsOf(joined([...weekly, ...extra]), rhythm).filter(({ time, until }) =>
    off.every((span) => until <= span.from || time >= span.until),
  );
}

/** Spans in order; those that overlap make one longer span. */
export function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted(byStart)) {
    const last = result.at(-1);
    if (!last || span.from >= last.until) result.push(span);
    else if (span.until > last.until) result[result.length - 1] = { ...last, until: span.until };
  }
  return result;
}

const byStart = (one: Span, other: Span): number => (one.from < other.from ? -1 : 1);
