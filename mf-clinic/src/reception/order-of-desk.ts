import type { VisitOfDay } from '@clinic/svc-clinic/contract/attendance-calls';
import { arrivalOf, byTime, minutesLate, stateOf, type VisitClock } from '../attendance/steps.ts';

/** A doctor's day as the desk works through it. */
export interface DeskOfDoctor {
  readonly email: string;
  readonly name: string;
  /** Late ones first, then who waits longest, who is inside, and who is expected next. */
  readonly open: readonly VisitOfDay[];
  /** Finished and missed ones, by time. */
  readonly done: readonly VisitOfDay[];
}

const isDone = (visit: VisitOfDay): boolean => stateOf(visit) === 'finished' || stateOf(visit) === 'missed';

function rank(visit: VisitOfDay, clock: VisitClock): number {
  if (minutesLate(visit, clock) > 0) return 0;
  const state = stateOf(visit);
  if (state === 'arrived' || state === 'called') return 1;
  return state === 'with doctor' ? 2 : 3;
}

/** The day's visits by doctor, in order of the doctors' names. */
export function orderOfDesk(visits: readonly VisitOfDay[], clock: VisitClock): DeskOfDoctor[] {
  const byDoctor = [...Map.groupBy(visits, ({ doctoremail }) => doctoremail)];
  return byDoctor
    .map(([email, own]) => ({
      email,
      name: own[0]?.doctorname ?? email,
      open: own
        .filter((visit) => !isDone(visit))
        .toSorted(
          (a, b) =>
            rank(a, clock) - rank(b, clock) ||
            (rank(a, clock) === 1 ? arrivalOf(a.attendance).localeCompare(arrivalOf(b.attendance)) : 0) ||
            byTime(a, b),
        ),
      done: own.filter(isDone),
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** How many of the day's visits are where. */
export function countsOfDay(visits: readonly VisitOfDay[], clock: VisitClock) {
  const count = (isMeant: (visit: VisitOfDay) => boolean): number => visits.filter(isMeant).length;
  return {
    late: count((visit) => rank(visit, clock) === 0),
    waiting: count((visit) => rank(visit, clock) === 1),
    inside: count((visit) => stateOf(visit) === 'with doctor'),
    expected: count((visit) => stateOf(visit) === 'expected' && rank(visit, clock) === 3),
  };
}
