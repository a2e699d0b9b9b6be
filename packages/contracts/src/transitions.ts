/**
 * Who may move what to which status: one table per entity. Services reject changes by it and status selectors offer
 * them by it, so the two can't disagree. docs/product.md shows the tables.
 */

/** For each status, the statuses it can change to and who may do it. */
export type TransitionTable<State extends string, Actor extends string> = Readonly<
  Record<State, Readonly<Partial<Record<State, readonly Actor[]>>>>
>;

export const appointmentStatuses = ['Pending', 'Confirmed', 'Cancelled'] as const;
export type AppointmentStatus = (typeof appointmentStatuses)[number];

/** `doctor` and `patient` are those of the appointment; `admin` is any admin. */
export type AppointmentActor = 'admin' | 'doctor' | 'patient';

export const appointmentTransitions: TransitionTable<AppointmentStatus, AppointmentActor> = {
  Pending: { Confirmed: ['admin', 'doctor', 'patient'], Cancelled: ['admin', 'doctor', 'patient'] },
  Confirmed: { Cancelled: ['admin', 'doctor', 'patient'] },
  Cancelled: {},
};

/** States in which an appointment holds its slot. */
export const slotHoldingStatuses = ['Pending', 'Confirmed'] as const satisfies readonly AppointmentStatus[];

export const orderStatuses = ['pending', 'Shipped', 'Delivered', 'Cancelled'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** `customer` is the one who placed the order; `admin` and `pharmacist` are any person with that role. */
export type OrderActor = 'admin' | 'pharmacist' | 'customer';

export const orderTransitions: TransitionTable<OrderStatus, OrderActor> = {
  pending: {
    Shipped: ['admin', 'pharmacist'],
    Delivered: ['admin', 'pharmacist'],
    Cancelled: ['admin', 'pharmacist', 'customer'],
  },
  Shipped: { Delivered: ['admin', 'pharmacist', 'customer'], Cancelled: ['admin', 'pharmacist'] },
  Delivered: {},
  Cancelled: {},
};

/** Where a state leads. One that this build doesn't know, from a newer release, leads nowhere here. */
function targetsOf<State extends string, Actor extends string>(
  table: TransitionTable<State, Actor>,
  from: State,
): TransitionTable<State, Actor>[State] {
  return Object.hasOwn(table, from) ? table[from] : ({} as TransitionTable<State, Actor>[State]);
}

/**
 * The states a person may choose from here.
 *
 * @param table - the entity's transition table
 * @param from - the current state
 * @param actors - all relations of the person to this record
 * @returns in the table's order; empty if the state is final for this person
 */
export function nextStates<State extends string, Actor extends string>(
  table: TransitionTable<State, Actor>,
  from: State,
  actors: readonly Actor[],
): State[] {
  const targets = Object.entries(targetsOf(table, from)) as [State, readonly Actor[]][];
  return targets.filter(([, allowed]) => allowed.some((actor) => actors.includes(actor))).map(([state]) => state);
}

/** Whether the state is final for everybody. */
export function isFinal<State extends string, Actor extends string>(
  table: TransitionTable<State, Actor>,
  state: State,
): boolean {
  return Object.keys(targetsOf(table, state)).length === 0;
}

/**
 * Whether a change is allowed, impossible for everyone (a conflict with the record's state), or not allowed for this
 * person.
 */
export function judgeTransition<State extends string, Actor extends string>(
  table: TransitionTable<State, Actor>,
  from: State,
  to: State,
  actors: readonly Actor[],
): 'allowed' | 'impossible' | 'forbidden' {
  const allowed = targetsOf(table, from)[to];
  if (!allowed) return 'impossible';
  return allowed.some((actor) => actors.includes(actor)) ? 'allowed' : 'forbidden';
}

export const medicineStatuses = ['in stock', 'low stock', 'out of stock'] as const;
export type MedicineStatus = (typeof medicineStatuses)[number];

/** Statuses in which a medicine can be added to the cart. */
export const sellableStatuses = ['in stock', 'low stock'] as const satisfies readonly MedicineStatus[];

/**
 * The status that follows from a stock figure.
 *
 * @param quantity - units in stock
 * @param lowStockBelow - stock is low below this many units (`LOW_STOCK_BELOW`, 10 by default)
 */
export function medicineStatusFor(quantity: number, lowStockBelow: number): MedicineStatus {
  if (quantity <= 0) return 'out of stock';
  return quantity < lowStockBelow ? 'low stock' : 'in stock';
}
