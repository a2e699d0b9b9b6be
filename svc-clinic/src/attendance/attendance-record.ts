import { addDays, type ClinicMoment } from '@clinic/contracts';
import { timeTaken } from '../appointments/promise.ts';
import type { ClinicClock } from '../clinic-clock.ts';
import {
  attendanceUndoMinutes,
  isOfToday,
  type AttendanceState,
  type DayClock,
  type TimedVisit,
} from '../contract/attendance.ts';
import type { Attendance } from '../contract/attendance-schema.ts';
import type { ObjectId } from 'mongodb';

/** A visit's day in its appointment's row. */
export interface AttendanceRecord {
  /** The time it is about: it no longer counts once the appointment has moved to another day. */
  readonly date: string;
  readonly time: string;
  readonly state: AttendanceState;
  readonly since: Date;
  /** In the waiting room; kept when the arrival is taken back, so that nobody gets two. */
  readonly number?: number;
  readonly arrivedAt?: Date;
  /** When the patient went in to the doctor. */
  readonly startedAt?: Date;
  /** Whole minutes between the two, for reports. */
  readonly waited?: number;
  /** What it was before, without what is in both; absent once taken back. */
  readonly before?: { readonly state: AttendanceState; readonly since?: Date };
}

/** A visit's code at the desk on its day. */
export interface ArrivalCodeRecord {
  /** Day and code, so that no two visits of a day have the same. */
  readonly _id: string;
  readonly appointment: ObjectId;
  /** 'yyyy-mm-dd' in the clinic's time zone: on another day the visit has another code. */
  readonly date: string;
}

/** Calls on each day's numbers. */
export interface ArrivalNumbersRecord {
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  readonly _id: string;
  /** The last number given. */
  readonly last: number;
}

/** Visits that patients didn't come to. Who came, and left before the doctor had time for them, hasn't missed theirs. */
export const missedVisits = { 'attendance.state': 'missed', 'attendance.arrivedAt': { $exists: false } } as const;
export const leftVisits = { 'attendance.state': 'missed', 'attendance.arrivedAt': { $exists: true } } as const;

type Attended = ClinicMoment & { readonly attendance?: AttendanceRecord };

/** What is noted about the visit at the time that the appointment has now. */
export function attendanceOf({ date, time, attendance }: Attended): AttendanceRecord | undefined {
  return attendance?.date === date && attendance.time === time ? attendance : undefined;
}

type Place = ClinicMoment & { readonly doctorEmail: string };

/**
 * What is noted about a visit that moves within its day: its patient waits on, with their number and place in the queue, but
 * nobody calls them to the old time or doctor any more.
 *
 * @returns nothing if what is noted stays as it is; on another day that doesn't count
 */
export function attendanceAfterMove(from: Attended & Place, to: Place): AttendanceRecord | undefined {
  const noted = attendanceOf(from);
  const { date, time, doctorEmail } = to;
  if (noted?.date !== date || (noted.time === time && from.doctorEmail === doctorEmail)) return undefined;
  const { before: _call, ...waiting } = noted;
  return noted.state === 'called'
    ? { ...waiting, time, state: 'arrived', since: noted.arrivedAt ?? noted.since }
    : { ...noted, time };
}

/** How far a visit has got. */
export const stateOf = (record: Attended): AttendanceState => attendanceOf(record)?.state ?? 'expected';

/** A visit's time and state. */
export function timedVisit(record: Attended & { readonly duration?: string }, timeZone: string): TimedVisit {
  const { from, until } = timeTaken(record, timeZone);
  return { date: record.date, start: from * 60_000, end: until * 60_000, state: stateOf(record) };
}

/** The clinic's clock, as the contract's rules about a visit's day read it. */
export const dayClock = ({ now, today }: Pick<ClinicClock, 'now' | 'today'>): DayClock => ({
  now: now.getTime(),
  today,
});

/** Whether a visit is among those of today; one from before midnight is until it has ended. */
export const isVisitOfToday = (
  record: Parameters<typeof timedVisit>[0],
  clock: Pick<ClinicClock, 'now' | 'today' | 'timeZone'>,
): boolean => isOfToday(timedVisit(record, clock.timeZone), dayClock(clock));

/** The days whose visits can be among those of today. */
export const daysOfToday = ({ today }: Pick<ClinicClock, 'today'>): readonly [before: string, today: string] => [
  addDays(today, -1),
  today,
];

/** The instant until which staff can take back the last state. */
export const undoableUntil = ({ since }: Pick<AttendanceRecord, 'since'>): Date =>
  new Date(since.getTime() + attendanceUndoMinutes * 60_000);

/**
 * A visit's day on the wire; absent if nothing is noted.
 *
 * @param forStaff - with what they can take back; patients can't
 */
export function toAttendance(record: Attended, forStaff: boolean): Attendance | undefined {
  const noted = attendanceOf(record);
  if (!noted) return undefined;
  const { state, since, arrivedAt, number, before } = noted;
  return {
    state,
    since: since.toISOString(),
    ...(arrivedAt && { arrivedAt: arrivedAt.toISOString() }),
    ...(number !== undefined && { number }),
    ...(forStaff && before && { undo: { to: before.state, until: undoableUntil(noted).toISOString() } }),
  };
}
