import type { Caller } from '@clinic/contracts';
import { ProblemError } from '@clinic/service-kit';
import type { ClientSession, Filter } from 'mongodb';
import type { PharmacyChange } from '../pharmacy-change.ts';
import type { PharmacyContext } from '../settings.ts';
import type { OrderRecord } from './order-record.ts';

/** A customer's orders that haven't been shipped. @param customerId - the account */
export function openOrders(customerId: string): Filter<OrderRecord> {
  return { customerId, status: 'pending' };
}

/** Pipeline: the units of a medicine in orders that haven't been shipped, which are no longer in its quantity. */
export const heldOf = (medicineId: string) => [
  { $match: { status: 'pending', 'items.medicineId': medicineId } },
  { $unwind: '$items' },
  { $match: { 'items.medicineId': medicineId } },
  { $group: { _id: null, held: { $sum: '$items.quantity' } } },
];

/** Units of a medicine that pending orders hold. */
export async function heldUnits(
  { orders }: PharmacyChange['collections'],
  medicineId: string,
  session?: ClientSession,
): Promise<number> {
  const [sum] = await orders.aggregate<{ readonly held: number }>(heldOf(medicineId), { session }).toArray();
  return sum?.held ?? 0;
}

/**
 * Keeps a customer from tying up stock with orders. Counts within the order's transaction, under the per-user lock
 * (`takeUserLock`), so that concurrent orders can't exceed the limit.
 *
 * @param customer - the caller
 * @param requested - ids of the medicines in the new order
 * @returns units that the customer already has on order, by medicine id
 * @throws ProblemError `too_many_orders`
 */
export async function assertRoomForOneMore(
  { collections, session }: Pick<PharmacyChange, 'collections' | 'session'>,
  { id, confirmed }: Pick<Caller, 'id' | 'confirmed'>,
  requested: readonly string[],
  rules: PharmacyContext['settings'],
): Promise<ReadonlyMap<string, number>> {
  const most = {
    orders: rules.PHARMACY_MAX_OPEN_ORDERS,
    unconfirmed: rules.PHARMACY_MAX_OPEN_ORDERS_UNCONFIRMED,
    medicines: rules.PHARMACY_MAX_OPEN_MEDICINES,
  };
  const open = await collections.orders
    .find(openOrders(id), { session, projection: { 'items.medicineId': 1, 'items.quantity': 1 }, limit: most.orders })
    .toArray();
  if (!confirmed && open.length >= most.unconfirmed) {
    throw new ProblemError('too_many_orders', {
      detail: `You have ${most.unconfirmed === 1 ? 'an order' : `${most.unconfirmed} orders`} we haven’t sent yet. Confirm your email address to order more.`,
    });
  }
  if (open.length >= most.orders) {
    throw new ProblemError('too_many_orders', {
      detail: `You have ${most.orders} ${most.orders === 1 ? 'order' : 'orders'} we haven’t sent yet, the most you can have at a time. Wait until we send one, or cancel one in My Orders.`,
    });
  }
  const units = new Map<string, number>();
  for (const { medicineId, quantity } of open.flatMap(({ items }) => items))
    units.set(medicineId, (units.get(medicineId) ?? 0) + quantity);
  const medicines = new Set([...units.keys(), ...requested]).size;
  if (medicines > most.medicines) {
    throw new ProblemError('too_many_orders', {
      detail: `You can have ${most.medicines} different medicines on order at a time. This order would make it ${medicines}. Order fewer, or wait until we send one of your orders.`,
    });
  }
  return units;
}
