import { minuteOf, type ClinicMoment } from '@clinic/contracts/clinic-time';
import type { Attendance, AttendanceState } from '@clinic/svc-clinic/contract/attendance';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';

/** How far a visit has got; a newer service may know more states. */
export const stateOf = ({ attendance }: Pick<Appointment, 'attendance'>): AttendanceState =>
  attendance?.state ?? 'expected';

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

/** Minutes for which somebody expected is late; 0 if their time hasn’t come. @param now - on the clinic’s clock */
export function minutesLate({ date, time, ...visit }: Appointment, now: ClinicMoment): number {
  if (stateOf(visit) !== 'expected' || date !== now.date) return 0;
  return Math.max(0, minuteOf(now.time) - minuteOf(time));
}

/** '8 min', '1 h 5 min'. */
export function inMinutes(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
}

/** When somebody came, for who waits longest. */
export const arrivalOf = (attendance: Attendance | undefined): string =>
  attendance?.arrivedAt ?? attendance?.since ?? '';
