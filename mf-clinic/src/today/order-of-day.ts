import type { Appointment } from '@clinic/contracts';

export interface DayPlan {
  /** Whom the doctor sees next, or is seeing. */
  readonly next: Appointment | undefined;
  readonly later: readonly Appointment[];
  readonly earlier: readonly Appointment[];
}

/** Minutes after its time during which an appointment is still the one at hand. */
const atHand = 20;

/**
 * A day's appointments as the doctor goes through them; cancelled ones are left out.
 *
 * @param time - the present, 'HH:mm' in the clinic's time zone
 */
export function orderOfDay(appointments: readonly Appointment[], time: string): DayPlan {
  const minutes = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
  const held = appointments.filter(({ status }) => status !== 'Cancelled').toSorted((a, b) => a.time.localeCompare(b.time));
  const behind = held.filter((one) => minutes(one.time) + atHand <= minutes(time)).length;
  const [next, ...later] = held.slice(behind);
  return { next, later, earlier: held.slice(0, behind) };
}
