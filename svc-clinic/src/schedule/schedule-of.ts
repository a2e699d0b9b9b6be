import { createHash } from 'node:crypto';
import type { ParsedBody } from '@clinic/contracts';
import type { Schedule } from '../contract/schedule-schemas.ts';
import { weekdays } from '@clinic/contracts/opening-days';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import type { ExceptionRecord, HoursRecord, PeriodRecord, WeeklySpanRecord } from './hours-record.ts';
import { hoursFromTimes } from './plain-times.ts';
import { allTimes, hoursOf, type ScheduledDoctor } from './working-times.ts';

/** What an editor sends: a schedule without its version. */
export type ScheduleDraft = Pick<ParsedBody<'previewSchedule'>, 'periods' | 'daysOff' | 'exceptions'>;

type Scheduled = Pick<DoctorRecord, 'isAvailable' | 'availableTimes' | 'daysOff' | 'hours'>;

/** The parts of a schedule that two people can change at once without a conflict. */
const parts = ['takes', 'hours', 'daysOff'] as const;
type Part = (typeof parts)[number];

/** A digest of each part; it changes with anything that decides when a doctor can be booked, whoever wrote it. */
export function versionOf({ isAvailable, availableTimes, daysOff = [], hours }: Scheduled): string {
  const texts = { takes: isAvailable, hours: [availableTimes, hours ?? null], daysOff };
  return parts
    .map((part) => createHash('sha256').update(JSON.stringify(texts[part])).digest('base64url').slice(0, 12))
    .join('.');
}

/** Whether a part has changed between two versions. */
export function isChanged(part: Part, one: string, other: string): boolean {
  const at = parts.indexOf(part);
  return one.split('.')[at] !== other.split('.')[at];
}

/**
 * A doctor's schedule on the wire. Plain times appear as weekly hours with the same times every day.
 *
 * @param today - earlier days off and exceptions are left out, 'yyyy-mm-dd'
 */
export function toSchedule(doctor: Scheduled, today: string): Schedule {
  const hours = hoursOf(doctor) ?? hoursFromTimes(doctor.availableTimes);
  return {
    version: versionOf(doctor),
    takesAppointments: doctor.isAvailable,
    periods: (hours?.periods ?? []).map((period) => ({ ...period, hours: [...period.hours] })),
    daysOff: (doctor.daysOff ?? []).filter((date) => date >= today),
    exceptions: (hours?.exceptions ?? []).filter(({ date }) => date >= today),
  };
}

/**
 * A draft in its stored form: in order, without past days.
 *
 * @param draft - checked with `scheduleFaults`
 */
export function scheduledBy({ periods, daysOff, exceptions }: ScheduleDraft, today: string): ScheduledDoctor {
  const days = [...new Set(daysOff)].filter((date) => date >= today).toSorted();
  if (periods.length === 0) return { availableTimes: [], daysOff: days };
  const stored = {
    periods: periods.map(periodRecord).toSorted((one, other) => compare(one.from ?? '', other.from ?? '')),
    exceptions: exceptions
      .filter(({ date }) => date >= today)
      .map(({ date, kind, from, until, place }): ExceptionRecord => ({ date, kind, from, until, place }))
      .toSorted((one, other) => compare(`${one.date} ${one.from}`, `${other.date} ${other.from}`)),
  };
  const listedTimes = allTimes(stored);
  const hours: HoursRecord = { ...stored, listedTimes };
  return { availableTimes: listedTimes, daysOff: days, hours };
}

function periodRecord({
  from,
  until,
  slotMinutes,
  bufferMinutes,
  hours,
}: ScheduleDraft['periods'][number]): PeriodRecord {
  return {
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
    slotMinutes,
    bufferMinutes,
    hours: hours
      .map(({ day, from: start, until: end, place }): WeeklySpanRecord => ({ day, from: start, until: end, place }))
      .toSorted(
        (one, other) => weekdays.indexOf(one.day) - weekdays.indexOf(other.day) || compare(one.from, other.from),
      ),
  };
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
