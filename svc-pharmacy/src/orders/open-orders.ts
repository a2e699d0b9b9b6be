import { ProblemError } from '@clinic/service-kit';
import type { Filter } from 'mongodb';
import type { Change } from '../change.ts';
import type { OrderDocument } from './order.ts';

/** What the pharmacy has not yet sent to a customer. */
export function openOrders(customerEmail: string): Filter<OrderDocument> {
  return { customerEmail, status: 'pending' };
}

/**
 * Nobody empties the shelves with orders that nobody packs. It counts within the order's transaction, whose customer takes
 * turns (`takePersonTurn`), so that many orders at the same moment don't get past it.
 *
 * @param most - pending orders a customer may have, the one that is about to be made included
 * @throws ProblemError `too_many_orders`
 */
export async function assertRoomForOneMore({ stores, session }: Pick<Change, 'stores' | 'session'>, customerEmail: string, most: number): Promise<void> {
  const open = await stores.orders.find(openOrders(customerEmail), { session, projection: { _id: 1 }, limit: most }).toArray();
  if (open.length < most) return;
  throw new ProblemError('too_many_orders', {
    detail: `You have ${most} ${most === 1 ? 'order' : 'orders'} that we have not sent yet, the most one customer can have at a time. Wait until one is on its way, or cancel one under My Orders.`,
  });
}
