import type { AppointmentStatus } from '@clinic/svc-clinic/contract/transitions';
import type { OrderStatus } from '@clinic/svc-pharmacy/contract/transitions';

/** The states an appointment may be in, given the answers so far. */
export interface KnownAppointment {
  readonly patient: string;
  /** 'yyyy-mm-dd HH:mm'; more than one if an answer was lost. */
  slots: Set<string>;
  statuses: Set<AppointmentStatus>;
  /** Counts starts and ends of changes, to detect overlapping ones. */
  steps: number;
}

export interface KnownOrder {
  readonly customer: string;
  statuses: Set<OrderStatus>;
}

/** Final statuses: once acknowledged they stay, whatever other answers arrive later. */
const final: readonly string[] = ['Cancelled', 'Delivered'];

/** Everything the clinic has acknowledged, to check at the end. */
export class Ledger {
  readonly appointments = new Map<string, KnownAppointment>();
  readonly orders = new Map<string, KnownOrder>();
  /** Acknowledged restocks by the medicine's number, in units; and those whose answer was lost. */
  readonly restocked = new Map<string, number>();
  readonly maybeRestocked = new Map<string, number>();
  acknowledged = 0;

  booked(id: string, patient: string, slot: string): void {
    this.acknowledged += 1;
    this.appointments.set(id, { patient, slots: new Set([slot]), statuses: new Set(['Pending']), steps: 0 });
  }

  ordered(id: string, customer: string): void {
    this.acknowledged += 1;
    this.orders.set(id, { customer, statuses: new Set(['pending']) });
  }

  /**
   * Call before sending a change of an appointment.
   *
   * @returns a function to call once it is answered, which says whether no other change overlapped
   */
  begin(known: KnownAppointment): () => boolean {
    known.steps += 1;
    const { steps } = known;
    return () => {
      known.steps += 1;
      return known.steps === steps + 1;
    };
  }

  /** @param answer - `undefined` if it was lost. A patient's move makes a confirmed appointment pending again. */
  moved(
    known: KnownAppointment,
    slot: string,
    answer: { readonly status: AppointmentStatus } | undefined,
    alone: boolean,
  ): void {
    known.slots = answer ? new Set([slot]) : known.slots.add(slot);
    this.changed(known, answer?.status ?? 'Pending', answer !== undefined, alone);
  }

  /**
   * @param sure - the change was acknowledged; otherwise its answer was lost
   * @param alone - no other change was in flight meanwhile, which might have been applied later
   */
  changed<Status extends string>(known: { statuses: Set<Status> }, status: Status, sure: boolean, alone = true): void {
    if (sure) this.acknowledged += 1;
    if (sure && final.includes(status)) known.statuses = new Set([status]);
    else if (![...known.statuses].every((before) => final.includes(before)) || known.statuses.size !== 1)
      known.statuses = sure && alone ? new Set([status]) : known.statuses.add(status);
  }

  restock(medicineId: string, units: number, sure: boolean): void {
    const which = sure ? this.restocked : this.maybeRestocked;
    if (sure) this.acknowledged += 1;
    which.set(medicineId, (which.get(medicineId) ?? 0) + units);
  }
}
