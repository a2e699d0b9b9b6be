import { clinicMoment } from '@clinic/contracts';
import { addToRollups, rollupShard, type RollupChange } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import { orderStatuses } from '../contract/transitions.ts';
import { totalMinorOf, type OrderRecord } from '../orders/order-record.ts';
import type { PharmacyCollections } from '../collections.ts';

/** The fields that decide where an order is counted. */
export type CountedOrder = Pick<OrderRecord, 'orderDate' | 'status' | 'items'>;

/** Where a change is counted. */
export interface Counting {
  readonly session: ClientSession;
  /** The clinic's, IANA name. */
  readonly timeZone: string;
}

/**
 * Counts a change of an order, in its transaction. Call it for every write of an order's status.
 *
 * @param before - `undefined` if it is new
 * @param after - `undefined` if it is deleted
 */
export async function countOrder(
  { orderTallies, medicineTallies }: Pick<PharmacyCollections, 'orderTallies' | 'medicineTallies'>,
  before: CountedOrder | undefined,
  after: CountedOrder | undefined,
  { session, timeZone }: Counting,
): Promise<void> {
  const changes = [
    ...(before ? [{ order: before, by: -1 as const }] : []),
    ...(after ? [{ order: after, by: 1 as const }] : []),
  ];
  const dayOf = ({ orderDate }: CountedOrder): string => clinicMoment(orderDate, timeZone).date;
  await addToRollups(
    orderTallies,
    session,
    changes.map(({ order, by }) => ofOrder(order, by, dayOf(order), rollupShard(session))),
  );
  await addToRollups(
    medicineTallies,
    session,
    changes.flatMap(({ order, by }) => ofMedicines(order, by, dayOf(order))),
  );
}

function ofOrder(order: CountedOrder, by: 1 | -1, day: string, slot: string): RollupChange {
  const revenueMinor = isSold(order) ? totalMinorOf(order) : 0;
  return { key: `${day} ${slot}`, about: { day }, add: { [order.status]: by, revenueMinor: by * revenueMinor } };
}

function ofMedicines(order: CountedOrder, by: 1 | -1, day: string): RollupChange[] {
  if (!isSold(order)) return [];
  return order.items.flatMap(({ medicineId, name, quantity, priceMinor }) =>
    [day, monthOf(day)].map((span) => ({
      key: medicineRollupKey(span, medicineId),
      about: { span, medicineId, name },
      add: { quantity: by * quantity, revenueMinor: by * priceMinor * quantity },
      ...(by === 1 && { set: { name } }),
    })),
  );
}

/** Cancelled orders don't count as sold. */
function isSold({ status }: CountedOrder): boolean {
  return status !== 'Cancelled';
}

/** Statuses that count towards revenue. */
export const soldStatuses = orderStatuses.filter((status) => status !== 'Cancelled');

/** 'yyyy-mm' of 'yyyy-mm-dd'. */
export function monthOf(day: string): string {
  return day.slice(0, 7);
}

export function medicineRollupKey(span: string, medicineId: string): string {
  return `${span} ${medicineId}`;
}
