import { clinicInstant } from '@clinic/contracts/clinic-time';
import { appointmentMinutes } from '@clinic/contracts/limits';
import { judgeTransition } from '@clinic/contracts/transitions';
import {
  attendanceTransitions,
  isHere,
  whyNotNow,
  type AttendanceState,
  type DayClock,
  type TimedVisit,
} from '@clinic/svc-clinic/contract/attendance';
import type { Attendance } from '@clinic/svc-clinic/contract/attendance-schema';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';

/** How far a visit has got; a newer service may know more states. */
export const stateOf = ({ attendance }: Pick<Appointment, 'attendance'>): AttendanceState =>
  attendance?.state ?? 'expected';

/** Whether the patient was here, and has left unseen. */
export const hasLeft = ({ attendance }: Pick<Appointment, 'attendance'>): boolean =>
  attendance?.state === 'missed' && attendance.arrivedAt !== undefined;

/** The current minute, and the clinic’s day and time zone. */
export interface VisitClock extends DayClock {
  readonly timeZone: string;
}

/** When a visit is, as the service computes it; services of earlier releases leave that to the page. */
export function timedVisit(
  { date, time, start, end, minutes = appointmentMinutes, ...visit }: Appointment,
  timeZone: string,
): TimedVisit {
  const from = start === undefined ? clinicInstant({ date, time }, timeZone).getTime() : Date.parse(start);
  const until = end === undefined ? from + minutes * 60_000 : Date.parse(end);
  return { date, start: from, end: until, state: stateOf(visit) };
}

/** What most visits in a state wait for, and the word for it on the button. */
export const nextSteps: Readonly<
  Partial<Record<AttendanceState, { readonly to: AttendanceState; readonly text: string }>>
> = {
  expected: { to: 'arrived', text: 'Arrived' },
  arrived: { to: 'called', text: 'Call in' },
  called: { to: 'with doctor', text: 'With doctor' },
  'with doctor': { to: 'finished', text: 'Finish' },
  missed: { to: 'arrived', text: 'Arrived after all' },
};

/** The staff’s buttons of a visit. */
export interface Steps {
  readonly next?: { readonly to: AttendanceState; readonly text: string } | undefined;
  /** The word for a patient who didn’t come, or who has left. */
  readonly missed?: string | undefined;
  /** The state that it goes back to. */
  readonly undo?: AttendanceState | undefined;
}

/** The steps that the service accepts now: a button that it would refuse isn’t offered. */
export function stepsOf(visit: Appointment, clock: VisitClock): Steps {
  const timed = timedVisit(visit, clock.timeZone);
  const { state } = timed;
  const accepted = (to: AttendanceState): boolean =>
    judgeTransition(attendanceTransitions, state, to, ['admin']) === 'allowed' &&
    whyNotNow(timed, to, clock) === undefined;
  const next = nextSteps[state];
  const undo = visit.attendance?.undo;
  // The clock shows whole minutes: not in the last one.
  const canUndo = undo && clock.now + 60_000 <= Date.parse(undo.until) && undo.to !== next?.to;
  return {
    next: next && accepted(next.to) ? next : undefined,
    missed: accepted('missed') ? (isHere(state) ? 'Left' : 'Didn’t come') : undefined,
    undo: canUndo ? undo.to : undefined,
  };
}

const stateWords: Readonly<Record<AttendanceState, string>> = {
  expected: 'expected again',
  arrived: 'arrived',
  called: 'called',
  'with doctor': 'with the doctor',
  finished: 'finished',
  missed: 'didn’t come',
};

/** What has become of a visit, as the message after it says; a newer service may know more states. */
export const inWords = (state: AttendanceState): string =>
  Object.hasOwn(stateWords, state) ? stateWords[state] : state;

/** Whole minutes since an instant. @param now - milliseconds */
export const minutesSince = (instant: string, now: number): number =>
  Math.max(0, Math.floor((now - Date.parse(instant)) / 60_000));

/** Whole minutes for which somebody expected is late, also after midnight; 0 if their time hasn’t come. */
export function minutesLate(visit: Appointment, { now, timeZone }: VisitClock): number {
  if (stateOf(visit) !== 'expected') return 0;
  return Math.max(0, Math.floor((now - timedVisit(visit, timeZone).start) / 60_000));
}

/** In order of their times, those from before midnight first. */
export const byTime = (a: Appointment, b: Appointment): number =>
  a.date.localeCompare(b.date) || a.time.localeCompare(b.time);

/** '8 min', '1 h 5 min'. */
export function inMinutes(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
}

/** When somebody came, for who waits longest. */
export const arrivalOf = (attendance: Attendance | undefined): string =>
  attendance?.arrivedAt ?? attendance?.since ?? '';
