import { judgeTransition, orderTransitions, type OrderActor, type OrderStatus } from '@clinic/contracts';
import { ProblemError } from '@clinic/service-kit';
import type { ObjectId } from 'mongodb';
import type { Change } from '../change.ts';
import { addStock } from '../medicines/stock.ts';
import type { OrderDocument } from './order.ts';

/**
 * Moves an order along the transition table. Cancelling returns its stock; that happens exactly once, because only the
 * change that finds the order not yet cancelled does it.
 *
 * @param actorsFor - what the caller is to this order; throws when they may not touch it at all
 * @throws ProblemError `not_found`; `transition_refused` when nobody can move it so; `forbidden` when this person may not
 */
export async function changeOrderStatus(
  change: Change,
  orderId: ObjectId,
  newStatus: OrderStatus,
  actorsFor: (order: OrderDocument) => readonly OrderActor[],
): Promise<OrderDocument> {
  const { stores, session } = change;
  const order = await stores.orders.findOne({ _id: orderId }, { session });
  if (!order) throw new ProblemError('not_found', { detail: 'There is no such order.' });
  const { status } = order;
  const verdict = judgeTransition(orderTransitions, status, newStatus, actorsFor(order));
  if (verdict === 'impossible') throw refused(status, newStatus);
  if (verdict === 'forbidden') throw new ProblemError('forbidden', { detail: `Only the pharmacy can set an order that is ${status} to ${newStatus}.` });

  const { matchedCount } = await stores.orders.updateOne({ _id: orderId, status }, { $set: { status: newStatus } }, { session });
  if (matchedCount === 0) throw refused(status, newStatus);
  if (newStatus === 'Cancelled') await returnStock(change, order);
  await change.count(order, { ...order, status: newStatus });
  await change.record({
    record: { type: 'order', id: orderId.toHexString() }, concerns: [order.customerEmail], action: 'status changed', before: { status }, after: { status: newStatus },
  });
  return { ...order, status: newStatus };
}

async function returnStock(change: Change, order: OrderDocument): Promise<void> {
  for (const { medicineId, quantity } of order.items) {
    const returned = await addStock(change, medicineId, quantity, { action: 'order cancelled', orderId: order._id.toHexString() });
    if (!returned) throw new Error(`The stock of ${medicineId} could not be returned`);
  }
}

function refused(from: OrderStatus, to: OrderStatus): ProblemError {
  return new ProblemError('transition_refused', { detail: `An order that is ${from} can't become ${to}.` });
}
