import { clinicMinute, type ClinicMoment } from '@clinic/contracts';
import { appointmentMinutes } from '@clinic/contracts/limits';

/** What an appointment's row says of its promise. */
export interface PromisedFields {
  /** Its length as it was promised, an ISO 8601 duration of minutes; absent in rows that the previous release has just made. */
  readonly duration?: string;
  /** Where it was promised to be; empty if the doctor's profile named no place. Absent as `duration`. */
  readonly place?: string;
  /** The minutes since 1970 that it takes; see `cellsOf`. Absent if it is past, or overlaps another of an earlier release. */
  readonly cells?: readonly number[];
}

/** Length and place of an appointment. */
export interface Visit {
  /** Minutes. */
  readonly minutes: number;
  /** Empty if the doctor's profile names no place. */
  readonly place: string;
}

/** From the first minute to the minute after the last, in minutes since 1970. */
export interface Interval {
  readonly from: number;
  readonly until: number;
}

/** What is stored of the time and place that a patient was promised; see {@link promiseOf}. */
export type PromiseFields = Required<PromisedFields>;

/** The stored form of a promise, which from then on doesn't depend on the doctor's hours. */
export function promiseOf(moment: ClinicMoment, { minutes, place }: Visit, timeZone: string): PromiseFields {
  return { duration: durationOf(minutes), place, cells: cellsOf(intervalOf(moment, minutes, timeZone)) };
}

/**
 * Length and place as they were promised. An appointment of the previous release has none until
 * `keepPromises` has worked them out, a moment after it was made.
 */
export function visitOf({ duration, place = '' }: Pick<PromisedFields, 'duration' | 'place'>): Visit {
  return { minutes: minutesOf(duration), place };
}

/** As an ISO 8601 duration. An index answers for texts alone without reading rows, also in the embedded database. */
export const durationOf = (minutes: number): string => `PT${minutes}M`;

/** @param duration - as an ISO 8601 duration, `PT45M`; absent: the usual length */
export function minutesOf(duration: string | undefined): number {
  return duration === undefined ? appointmentMinutes : Number(duration.slice(2, -1));
}

/** The time that an appointment takes: elapsed minutes, even if the clock changes meanwhile. */
export function intervalOf(moment: ClinicMoment, minutes: number, timeZone: string): Interval {
  const from = clinicMinute(moment, timeZone);
  return { from, until: from + minutes };
}

/** {@link intervalOf} an appointment. */
export function timeTaken(record: ClinicMoment & Pick<PromisedFields, 'duration'>, timeZone: string): Interval {
  return intervalOf(record, minutesOf(record.duration), timeZone);
}

/** Whether two intervals share time; neighbours don't. */
export function overlap(one: Interval, other: Interval): boolean {
  return one.from < other.until && other.from < one.until;
}

/**
 * Every minute of an interval. The unique index over a doctor's minutes decides that no two appointments overlap. It needs
 * single minutes, as hours may begin at any minute and appointments last any number of them: with longer cells neighbours
 * could share one.
 */
export function cellsOf({ from, until }: Interval): number[] {
  return Array.from({ length: until - from }, (_, index) => from + index);
}

/** Start and end on the wire. */
export function startAndEnd(
  record: ClinicMoment & Pick<PromisedFields, 'duration'>,
  timeZone: string,
): { readonly start: string; readonly end: string } {
  const { from, until } = timeTaken(record, timeZone);
  return { start: new Date(from * 60_000).toISOString(), end: new Date(until * 60_000).toISOString() };
}

/** The parts of a visit that differ from another's, for the history. */
export function changedVisit(visit: Visit, other: Visit): Partial<Visit> {
  return {
    ...(visit.minutes !== other.minutes && { minutes: visit.minutes }),
    ...(visit.place !== other.place && { place: visit.place }),
  };
}
