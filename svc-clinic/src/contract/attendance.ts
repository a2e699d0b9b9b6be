import type { TransitionTable } from '@clinic/contracts/transitions';
import type { AppointmentActor } from './transitions.ts';

/** How far a visit has got on its day, apart from its status. */
export const attendanceStates = ['expected', 'arrived', 'called', 'with doctor', 'finished', 'missed'] as const;
export type AttendanceState = (typeof attendanceStates)[number];

/** Who may say so. Patients only say that they are here. */
export const attendanceTransitions: TransitionTable<AttendanceState, AppointmentActor> = {
  expected: { arrived: ['admin', 'doctor', 'patient'], missed: ['admin', 'doctor'] },
  arrived: { called: ['admin', 'doctor'], 'with doctor': ['admin', 'doctor'], missed: ['admin', 'doctor'] },
  // Whoever doesn't answer waits on.
  called: { 'with doctor': ['admin', 'doctor'], arrived: ['admin', 'doctor'], missed: ['admin', 'doctor'] },
  'with doctor': { finished: ['admin', 'doctor'] },
  finished: {},
  // Late, but here.
  missed: { arrived: ['admin', 'doctor'] },
};

/** Minutes after its end in which a visit can still begin, also after midnight. */
const latestStart = 360;

/** Days after a visit in which the desk can still note how it ended. */
const daysToClose = 7;

/** When a visit is, and how far it has got. */
export interface TimedVisit {
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  readonly date: string;
  /** Milliseconds since 1970, as `end`. */
  readonly start: number;
  readonly end: number;
  readonly state: AttendanceState;
}

/** The current instant in milliseconds since 1970, and the day in the clinic's time zone. */
export interface DayClock {
  readonly now: number;
  readonly today: string;
}

/** Whether the patient has come, and waits for the doctor. */
export const isWaiting = (state: AttendanceState): boolean => state === 'arrived' || state === 'called';

/** Whether the patient is in the clinic. */
export const isHere = (state: AttendanceState): boolean => isWaiting(state) || state === 'with doctor';

/** Whether a visit stays where it is: nobody moves or cancels it any more. */
export const hasBegun = (state: AttendanceState): boolean =>
  state === 'with doctor' || state === 'finished' || state === 'missed';

/** Whether a visit is over, as far as is known: nobody confirms, cancels or moves it any more. */
export const hasEnded = ({ end, state }: Pick<TimedVisit, 'end' | 'state'>, now: number): boolean =>
  now >= end && !isWaiting(state);

/**
 * Whether a visit is among those of today: on its day, and after midnight until it has ended, or while the patient is still
 * here.
 */
export function isOfToday({ date, end, state }: TimedVisit, { now, today }: DayClock): boolean {
  if (date >= today) return date === today;
  return now < end || (isHere(state) && now <= end + latestStart * 60_000);
}

/**
 * Why a step can't be noted now: its time hasn't come, or its day is another. The desk's buttons and the service follow this.
 * Whoever has come can leave before their time.
 */
export function whyNotNow(
  visit: TimedVisit,
  to: AttendanceState,
  { now, today }: DayClock,
): 'too early' | 'another day' | undefined {
  const { date, start, end, state } = visit;
  if (to === 'missed' && !isHere(state) && now < start) return 'too early';
  const closing = to === 'missed' || to === 'finished';
  const latest = end + (closing ? daysToClose * 1_440 : latestStart) * 60_000;
  return date === today || (now >= start && now <= latest) ? undefined : 'another day';
}

/** Minutes for which staff can take back what they noted. */
export const attendanceUndoMinutes = 10;
