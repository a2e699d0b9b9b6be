import type { Filter, ObjectId, UpdateFilter } from 'mongodb';
import { changeIn } from '../pharmacy-change.ts';
import type { PharmacyContext } from '../settings.ts';
import { collectionsOf } from '../collections.ts';
import { moveOrder } from './change-order-status.ts';
import type { OrderRecord } from './order-record.ts';

type Context = Pick<PharmacyContext, 'db' | 'settings' | 'log' | 'inTransaction' | 'stopping'>;

const hour = 3_600_000;

/** When an order placed now expires. @param hours - PHARMACY_PENDING_ORDER_HOURS */
export function heldUntil(now: Date, hours: number): Date {
  return new Date(now.getTime() + hours * hour);
}

/**
 * Cancels expired pending orders, each in its own transaction, so that stock is returned exactly once, whichever replica
 * does it and whoever ships or cancels at the same moment. Orders without an expiry time, from an earlier release or from
 * while expiry was off, get the full time from now.
 *
 * @returns number of orders that this call expired
 */
export async function expireOrders(context: Context, now = new Date()): Promise<number> {
  const { orders } = collectionsOf(context.db);
  const hours = context.settings.PHARMACY_PENDING_ORDER_HOURS;
  if (hours === 0) {
    await inBatches(context, { status: 'pending', heldUntil: { $gte: new Date(0) } }, { $unset: { heldUntil: '' } });
    return 0;
  }
  const until = heldUntil(now, hours);
  await inBatches(context, { status: 'pending', heldUntil: { $exists: false } }, { $set: { heldUntil: until } });
  let expired = 0;
  for await (const { _id } of orders.find(
    { status: 'pending', heldUntil: { $lte: now } },
    { projection: { _id: 1 }, sort: { heldUntil: 1 } },
  )) {
    try {
      if (await expireOrder(context, _id, now)) expired += 1;
    } catch (error) {
      // Doesn't hold up the others; the next run retries it.
      context.log.warn(
        { orderId: _id.toHexString(), reason: (error as Error).message },
        'expiring a pending order failed, will retry',
      );
    }
  }
  return expired;
}

/** Orders changed by one command. */
const batchSize = 500;

/**
 * Changes all orders that a filter finds, in small commands: one for many orders would block the database and exceed
 * its time limit.
 *
 * @param filter - must no longer match an order once it has been changed
 */
async function inBatches(
  { db, stopping }: Context,
  filter: Filter<OrderRecord>,
  update: UpdateFilter<OrderRecord>,
): Promise<void> {
  const { orders } = collectionsOf(db);
  while (!stopping.aborted) {
    const found = await orders
      .find(filter, { projection: { _id: 1 } })
      .limit(batchSize)
      .toArray();
    if (found.length > 0)
      await orders.updateMany({ $and: [{ _id: { $in: found.map(({ _id }) => _id) } }, filter] }, update);
    if (found.length < batchSize) return;
  }
}

async function expireOrder({ inTransaction, ...context }: Context, _id: ObjectId, now: Date): Promise<boolean> {
  return inTransaction(async (session) => {
    const change = changeIn(context, session, { call: 'expiry', caller: undefined, requestId: 'expiry' });
    const order = await change.collections.orders.findOne(
      { _id, status: 'pending', heldUntil: { $lte: now } },
      { session },
    );
    return order !== null && (await moveOrder(change, order, 'Cancelled', 'expired')) !== undefined;
  });
}
