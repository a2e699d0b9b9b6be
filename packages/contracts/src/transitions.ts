/**
 * Who may move what to where: one table per entity, used by the services to refuse, and by the status selectors to
 * offer, so that the two can't disagree. docs/product.md shows them.
 */

/** For each state, the states it may move to and the actors who may do so. */
export type TransitionTable<State extends string, Actor extends string> = Readonly<
  Record<State, Readonly<Partial<Record<State, readonly Actor[]>>>>
>;

export const appointmentStatuses = ['Pending', 'Confirmed', 'Cancelled'] as const;
export type AppointmentStatus = (typeof appointmentStatuses)[number];

/** `doctor` and `patient` are the appointment's own; `admin` is any admin. */
export type AppointmentActor = 'admin' | 'doctor' | 'patient';

export const appointmentTransitions: TransitionTable<AppointmentStatus, AppointmentActor> = {
  Pending: { Confirmed: ['admin', 'doctor', 'patient'], Cancelled: ['admin', 'doctor', 'patient'] },
  Confirmed: { Cancelled: ['admin', 'doctor', 'patient'] },
  Cancelled: {},
};

/** States in which an appointment keeps its slot from everybody else. */
export const slotHoldingStatuses = ['Pending', 'Confirmed'] as const satisfies readonly AppointmentStatus[];

export const orderStatuses = ['pending', 'Shipped', 'Delivered', 'Cancelled'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** `customer` is the one who placed the order; `admin` and `pharmacist` are any of them. */
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

/**
 * The states one may choose from here.
 *
 * @param table - the entity's transition table
 * @param from - the present state
 * @param actors - everything the person is to this record
 * @returns the reachable states in the table's order; empty when the state is final for this person
 */
export function nextStates<State extends string, Actor extends string>(
  table: TransitionTable<State, Actor>,
  from: State,
  actors: readonly Actor[],
): State[] {
  const targets = Object.entries(table[from]) as [State, readonly Actor[]][];
  return targets.filter(([, allowed]) => allowed.some((actor) => actors.includes(actor))).map(([state]) => state);
}

/** Whether nobody can leave this state any more. */
export function isFinal<State extends string, Actor extends string>(table: TransitionTable<State, Actor>, state: State): boolean {
  return Object.keys(table[state]).length === 0;
}

/**
 * What a move would be: allowed, impossible for everyone (a conflict with the record's state), or not this person's to make.
 */
export function judgeTransition<State extends string, Actor extends string>(
  table: TransitionTable<State, Actor>,
  from: State,
  to: State,
  actors: readonly Actor[],
): 'allowed' | 'impossible' | 'forbidden' {
  const allowed = table[from][to];
  if (!allowed) return 'impossible';
  return allowed.some((actor) => actors.includes(actor)) ? 'allowed' : 'forbidden';
}

export const medicineStatuses = ['in stock', 'low stock', 'out of stock'] as const;
export type MedicineStatus = (typeof medicineStatuses)[number];

/** Statuses a visitor can put into the cart. */
export const sellableStatuses = ['in stock', 'low stock'] as const satisfies readonly MedicineStatus[];

/**
 * The status that follows from a stock figure.
 *
 * @param quantity - units on hand
 * @param lowStockBelow - below this many units stock is low (`LOW_STOCK_BELOW`, 10 unless configured)
 */
export function medicineStatusFor(quantity: number, lowStockBelow: number): MedicineStatus {
  if (quantity <= 0) return 'out of stock';
  return quantity < lowStockBelow ? 'low stock' : 'in stock';
}
