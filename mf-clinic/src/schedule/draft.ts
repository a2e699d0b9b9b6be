import type { FieldError } from '@clinic/contracts';
import { scheduleLimits } from '@clinic/svc-clinic/contract/limits';
import type { Schedule, ScheduleException } from '@clinic/svc-clinic/contract/schedule-schemas';
import { minutesOfSpan } from '@clinic/contracts/clinic-time';
import { week, weekdays, type Weekday } from '@clinic/contracts/opening-days';

/** Hours of one day while they are edited. */
export interface SpanDraft {
  /** 'HH:mm', as time fields have it: midnight at the end of a day is '00:00'. Empty while it is being typed. */
  readonly from: string;
  readonly until: string;
  readonly place: string;
}

export interface PeriodDraft {
  /** 'yyyy-mm-dd'; empty: without limit. */
  readonly from: string;
  readonly until: string;
  readonly slotMinutes: number;
  readonly bufferMinutes: number;
  /** A day that is switched off has none. */
  readonly days: Readonly<Record<Weekday, readonly SpanDraft[]>>;
}

/** A schedule while it is edited. */
export interface ScheduleDraft {
  readonly takesAppointments: boolean;
  /** Empty: no hours, nobody can book. */
  readonly periods: readonly PeriodDraft[];
  readonly daysOff: readonly string[];
  readonly exceptions: readonly ScheduleException[];
}

const noDays = Object.fromEntries(weekdays.map((day) => [day, []])) as unknown as Record<Weekday, SpanDraft[]>;

export const usualHours: SpanDraft = { from: '09:00', until: '17:00', place: '' };

/** What somebody who starts from nothing gets: a week of usual working days. */
export const usualWeek: PeriodDraft = {
  from: '',
  until: '',
  slotMinutes: 30,
  bufferMinutes: 0,
  days: {
    ...noDays,
    Monday: [usualHours],
    Tuesday: [usualHours],
    Wednesday: [usualHours],
    Thursday: [usualHours],
    Sunday: [usualHours],
  },
};

export function toDraft({ takesAppointments, periods, daysOff, exceptions }: Schedule): ScheduleDraft {
  return {
    takesAppointments,
    periods: periods.map(({ from = '', until = '', slotMinutes, bufferMinutes, hours }) => ({
      from,
      until,
      slotMinutes,
      bufferMinutes,
      days: Object.fromEntries(
        weekdays.map((day) => [
          day,
          hours
            .filter((span) => span.day === day)
            .map((span) => ({ from: span.from, until: toField(span.until), place: span.place })),
        ]),
      ) as Record<Weekday, SpanDraft[]>,
    })),
    daysOff,
    exceptions,
  };
}

/** What the service expects. */
export function fromDraft({ periods, daysOff, exceptions }: ScheduleDraft) {
  return {
    periods: periods.map(({ from, until, slotMinutes, bufferMinutes, days }) => ({
      ...(from && { from }),
      ...(until && { until }),
      slotMinutes,
      bufferMinutes,
      hours: week.flatMap((day) =>
        days[day].map((span) => ({ day, from: span.from, until: fromField(span.until), place: span.place })),
      ),
    })),
    daysOff: [...daysOff],
    exceptions: [...exceptions],
  };
}

/** A time field can't show the end of a day. */
export const toField = (until: string): string => (until === '24:00' ? '00:00' : until);
export const fromField = (until: string): string => (until === '00:00' ? '24:00' : until);

/** What is wrong with a span from one time field to another, which may end after midnight. */
export function spanFault(from: string, until: string): string | undefined {
  if (from === '' || until === '') return 'Enter both times';
  const span = { from, until: fromField(until) };
  return span.until <= from && minutesOfSpan(span) > scheduleLimits.nightMinutes
    ? 'The end must be after the start'
    : undefined;
}

/** The service's errors about one span of a period, by the span's place in its day. */
export function spanErrors(
  errors: readonly FieldError[],
  { days }: PeriodDraft,
  periodIndex: number,
  day: Weekday,
  index: number,
): string | undefined {
  let before = 0;
  for (const other of week) {
    if (other === day) break;
    before += days[other].length;
  }
  const field = `periods.${periodIndex}.hours.${before + index}`;
  return errors.find((error) => error.field === field || error.field.startsWith(`${field}.`))?.message;
}

/** Times that are still to be typed, as errors. */
export function incomplete({ periods }: ScheduleDraft): FieldError[] {
  return periods.flatMap(({ days }, at) =>
    week
      .flatMap((day) => days[day])
      .flatMap(({ from, until }, index) =>
        from && until ? [] : [{ field: `periods.${at}.hours.${index}`, message: 'Enter both times' }],
      ),
  );
}

export function errorAt(errors: readonly FieldError[], field: string): string | undefined {
  return errors.find((error) => error.field === field)?.message;
}

/** Errors that no field on screen shows. */
export function otherErrors(errors: readonly FieldError[]): string[] {
  return errors
    .filter(({ field }) => !/^periods\.\d+\.(hours\.\d+|slotMinutes|bufferMinutes|from|until)/.test(field))
    .map(({ message }) => message);
}

/** Days off as spans of days: '2026-12-01' to '2026-12-14'. @param next - the day after one */
export function spansOfDays(
  days: readonly string[],
  next: (day: string) => string,
): { readonly from: string; readonly until: string }[] {
  const spans: { from: string; until: string }[] = [];
  for (const day of days.toSorted()) {
    const last = spans.at(-1);
    if (last && next(last.until) === day) last.until = day;
    else spans.push({ from: day, until: day });
  }
  return spans;
}
