import type { AppointmentStatus, OrderStatus } from '@clinic/contracts';

/** What an appointment may look like, by the answers that were given. */
export interface KnownAppointment {
  readonly patient: string;
  /** 'yyyy-mm-dd HH:mm'; more than one when an answer was lost. */
  slots: Set<string>;
  statuses: Set<AppointmentStatus>;
  /** Beginnings and ends of changes so far: tells whether one overlapped another. */
  steps: number;
}

export interface KnownOrder {
  readonly customer: string;
  statuses: Set<OrderStatus>;
}

/** Statuses that nothing leads out of: once acknowledged they stay, whatever other answers come in later. */
const final: readonly string[] = ['Cancelled', 'Delivered'];

/** What the clinic has acknowledged, to be found again in the end. */
export class Ledger {
  readonly appointments = new Map<string, KnownAppointment>();
  readonly orders = new Map<string, KnownOrder>();
  /** Acknowledged restocks by the medicine's number, units; and those whose answer was lost. */
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

  /** Call it before a change of an appointment is sent. @returns whether no other change overlapped it; call it once it is answered */
  begin(known: KnownAppointment): () => boolean {
    known.steps += 1;
    const { steps } = known;
    return () => {
      known.steps += 1;
      return known.steps === steps + 1;
    };
  }

  /** @param answer - nothing: it was lost. A patient's move makes a confirmed appointment pending again. */
  moved(known: KnownAppointment, slot: string, answer: { readonly status: AppointmentStatus } | undefined, alone: boolean): void {
    known.slots = answer ? new Set([slot]) : known.slots.add(slot);
    this.changed(known, answer?.status ?? 'Pending', answer !== undefined, alone);
  }

  /**
   * @param sure - the change was acknowledged; else its answer was lost
   * @param alone - no other change was in flight meanwhile, which may have come later
   */
  changed<Status extends string>(known: { statuses: Set<Status> }, status: Status, sure: boolean, alone = true): void {
    if (sure) this.acknowledged += 1;
    if (sure && final.includes(status)) known.statuses = new Set([status]);
    else if (![...known.statuses].every((before) => final.includes(before)) || known.statuses.size !== 1) known.statuses = sure && alone ? new Set([status]) : known.statuses.add(status);
  }

  restock(medicineId: string, units: number, sure: boolean): void {
    const which = sure ? this.restocked : this.maybeRestocked;
    if (sure) this.acknowledged += 1;
    which.set(medicineId, (which.get(medicineId) ?? 0) + units);
  }
}
