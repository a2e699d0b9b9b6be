import type { ObjectId } from 'mongodb';
import { changeIn } from '../pharmacy-change.ts';
import type { PharmacyContext } from '../settings.ts';
import { collectionsOf } from '../collections.ts';
import { moveOrder } from './change-order-status.ts';

type Context = Pick<PharmacyContext, 'db' | 'settings' | 'log' | 'inTransaction'>;

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
    await orders.updateMany({ status: 'pending', heldUntil: { $exists: true } }, { $unset: { heldUntil: '' } });
    return 0;
  }
  await orders.updateMany(
    { status: 'pending', heldUntil: { $exists: false } },
    { $set: { heldUntil: heldUntil(now, hours) } },
  );
  let expired = 0;
  for await (const { _id } of orders.find(
    { status: 'pending', heldUntil: { $lte: now } },
    { projection: { _id: 1 }, sort: { heldUntil: 1 } },
  )) {
    try {
      if (await expireOrder(context, _id, now)) expired += 1;
    } catch (error) {
      // Don't hold up the others; the next run retries it.
      context.log.warn(
        { orderId: _id.toHexString(), reason: (error as Error).message },
        'expiring a pending order failed, will retry',
      );
    }
  }
  return expired;
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
