import type { VisitOfDay } from '@clinic/svc-clinic/contract/attendance-calls';
import { arrivalOf, stateOf } from '../attendance/steps.ts';

export interface DayPlan<Visit> {
  /** The doctor's current or next patient. */
  readonly next: Visit | undefined;
  /** Who waits outside, longest first. */
  readonly waiting: readonly Visit[];
  readonly later: readonly Visit[];
  readonly earlier: readonly Visit[];
}

type Planned = Pick<VisitOfDay, 'time' | 'status' | 'attendance'>;

/** Minutes after its start during which an appointment of somebody who isn't noted counts as current. */
const atHand = 20;

/**
 * A day's appointments in the order the doctor sees them, without cancelled ones: who is inside, who was called, who waits
 * longest; while nobody is here, whoever's time comes next.
 *
 * @param time - now, 'HH:mm' in the clinic's time zone
 */
export function orderOfDay<Visit extends Planned>(visits: readonly Visit[], time: string): DayPlan<Visit> {
  const minutes = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
  const held = visits.filter(({ status }) => status !== 'Cancelled').toSorted((a, b) => a.time.localeCompare(b.time));
  const inState = (...states: string[]): Visit[] =>
    held
      .filter((one) => states.includes(stateOf(one)))
      .toSorted((a, b) => arrivalOf(a.attendance).localeCompare(arrivalOf(b.attendance)));
  const here = [...inState('with doctor'), ...inState('called'), ...inState('arrived')];
  const isPast = (one: Visit): boolean => minutes(one.time) + atHand <= minutes(time);
  const expected = inState('expected').toSorted((a, b) => a.time.localeCompare(b.time));
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
