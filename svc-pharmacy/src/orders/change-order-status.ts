import { judgeTransition, type ParsedBody } from '@clinic/contracts';
import { ProblemError, refused } from '@clinic/service-kit';
import type { ObjectId } from 'mongodb';
import { orderTransitions, type OrderActor, type OrderStatus } from '../contract/transitions.ts';
import type { PharmacyChange } from '../pharmacy-change.ts';
import { returnStock } from '../medicines/stock.ts';
import { announceOrder } from './announce-order.ts';
import { aboutOrder, type OrderRecord } from './order-record.ts';

/**
 * Changes an order's status along the transition table. Cancelling returns its stock exactly once, because only the
 * change that finds the order not yet cancelled does so.
 *
 * @param actorsFor - the caller's part in this order; throws if they have no access at all
 * @throws ProblemError `not_found`; `transition_refused` if nobody can make this change, or the order isn't as it was seen; `forbidden` if this person
 * can't
 */
export async function changeOrderStatus(
  change: PharmacyChange,
  orderId: ObjectId,
  { newStatus, seen }: ParsedBody<'changeOrderStatus'>,
  actorsFor: (order: OrderRecord) => readonly OrderActor[],
): Promise<OrderRecord> {
  const { collections, session } = change;
  const order = await collections.orders.findOne({ _id: orderId }, { session });
  if (!order) throw new ProblemError('not_found', { detail: 'We can’t find this order.' });
  const { status } = order;
  const verdict = judgeTransition(orderTransitions, status, newStatus, actorsFor(order));
  if (verdict === 'impossible') reject(status, newStatus);
  if (verdict === 'forbidden')
    throw new ProblemError('forbidden', {
      detail: `Only the pharmacy can change an order from ${status} to ${newStatus}.`,
    });

  if (seen && seen.status !== status)
    throw refused(`Someone else has just changed this order from ${seen.status} to ${status}. Check it and try again.`);
  return (await moveOrder(change, order, newStatus, 'status changed')) ?? reject(status, newStatus);
}

/**
 * Changes an order's status: returns its stock if it is cancelled, counts it and writes its history.
 *
 * @param order - as read in this transaction
 * @param action - its name in the history
 * @returns the updated order; `undefined` if somebody else has changed it
 */
export async function moveOrder(
  change: PharmacyChange,
  order: OrderRecord,
  newStatus: OrderStatus,
  action: 'status changed' | 'expired',
): Promise<OrderRecord | undefined> {
  const { collections, session } = change;
  const { _id, status } = order;
  const { matchedCount } = await collections.orders.updateOne(
    { _id, status },
    order.erasedAt ? arrived(newStatus) : { $set: { status: newStatus } },
    { session },
  );
  if (matchedCount === 0) return undefined;
  const unreturned =
    newStatus === 'Cancelled'
      ? await returnItems(change, order, action === 'expired' ? 'order expired' : 'order cancelled')
      : [];
  await change.count(order, { ...order, status: newStatus });
  await change.record({
    ...aboutOrder(order),
    action,
    before: { status },
    after: { status: newStatus, ...(unreturned.length > 0 && { unreturned }) },
  });
  const kind = messageAbout[newStatus];
  if (kind) await announceOrder(change, kind, order);
  return { ...order, status: newStatus };
}

/** Nothing of a deleted customer is needed any more. */
const arrived = (status: OrderStatus) =>
  ({ $set: { status, deliveryAddress: '', customerPhone: '' }, $unset: { erasedAt: '', recipientName: '' } }) as const;

/** The message that a new status sends to the customer. */
const messageAbout: Readonly<Partial<Record<OrderStatus, 'order-shipped' | 'order-cancelled'>>> = {
  Shipped: 'order-shipped',
  Cancelled: 'order-cancelled',
};

/** @returns units that would exceed the maximum stock, or whose medicine is deleted; the order's history lists them */
async function returnItems(
  change: PharmacyChange,
  order: OrderRecord,
  reason: 'order cancelled' | 'order expired',
): Promise<{ readonly medicineId: string; readonly quantity: number }[]> {
  const unreturned = [];
  for (const { medicineId, quantity } of order.items) {
    const left = await returnStock(change, medicineId, quantity, { reason, orderId: order._id.toHexString() });
    if (left > 0) unreturned.push({ medicineId, quantity: left });
  }
  return unreturned;
}

function reject(from: OrderStatus, to: OrderStatus): never {
  // As after a lost response.
  throw refused(from === to ? `This order is ${to} already.` : `An order that is ${from} can't become ${to}.`);
}
