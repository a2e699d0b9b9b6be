import type { VisitOfDay } from '@clinic/svc-clinic/contract/attendance-calls';
import { arrivalOf, byTime, stateOf, timedVisit, type VisitClock } from '../attendance/steps.ts';

export interface DayPlan<Visit> {
  /** The doctor's current or next patient. */
  readonly next: Visit | undefined;
  /** Who waits outside, longest first. */
  readonly waiting: readonly Visit[];
  readonly later: readonly Visit[];
  readonly earlier: readonly Visit[];
}

/** Minutes after its start during which an appointment of somebody who isn't noted counts as current. */
const atHand = 20;

/**
 * A day's appointments in the order the doctor sees them, without cancelled ones: who is inside, who was called, who waits
 * longest; while nobody is here, whoever's time comes next.
 */
export function orderOfDay<Visit extends VisitOfDay>(visits: readonly Visit[], clock: VisitClock): DayPlan<Visit> {
  const held = visits.filter(({ status }) => status !== 'Cancelled').toSorted(byTime);
  const inState = (...states: string[]): Visit[] =>
    held
      .filter((one) => states.includes(stateOf(one)))
      .toSorted((a, b) => arrivalOf(a.attendance).localeCompare(arrivalOf(b.attendance)));
  const here = [...inState('with doctor'), ...inState('called'), ...inState('arrived')];
  const isPast = (one: Visit): boolean => timedVisit(one, clock.timeZone).start + atHand * 60_000 <= clock.now;
  const expected = inState('expected').toSorted(byTime);
  const coming = expected.filter((one) => !isPast(one));
  const [next, ...rest] = here.length > 0 ? here : coming;
  return {
    next,
    waiting: here.length > 0 ? rest : [],
    later: here.length > 0 ? coming : rest,
    earlier: held.filter(
      (one) => stateOf(one) === 'finished' || stateOf(one) === 'missed' || expected.filter(isPast).includes(one),
    ),
  };
}
