import type { Appointment } from '@clinic/svc-clinic/contract/schemas';

export interface DayPlan {
  /** The doctor's next or current patient. */
  readonly next: Appointment | undefined;
  readonly later: readonly Appointment[];
  readonly earlier: readonly Appointment[];
}

/** Minutes after its start during which an appointment counts as current. */
const atHand = 20;

/**
 * A day's appointments in the order the doctor sees them, without cancelled ones.
 *
 * @param time - now, 'HH:mm' in the clinic's time zone
 */
export function orderOfDay(appointments: readonly Appointment[], time: string): DayPlan {
  const minutes = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
  const held = appointments
    .filter(({ status }) => status !== 'Cancelled')
    .toSorted((a, b) => a.time.localeCompare(b.time));
  const behind = held.filter((one) => minutes(one.time) + atHand <= minutes(time)).length;
  const [next, ...later] = held.slice(behind);
  return { next, later, earlier: held.slice(0, behind) };
}
