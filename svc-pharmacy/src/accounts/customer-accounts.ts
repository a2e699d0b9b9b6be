import { isErasedEmail } from '@clinic/contracts/erased-person';
import {
  dateWithin,
  giveHistory,
  type HistoryEvent,
  type JoinRecords,
  type OnAccount,
  type SchemaChange,
} from '@clinic/service-kit';
import type { Db, Filter, ObjectId } from 'mongodb';
import { collectionsOf } from '../collections.ts';
import type { OrderRecord } from '../orders/order-record.ts';

/** Orders processed together. */
const batchSize = 500;

/** Orders that no account owns yet. */
export const unowned = { customerId: { $exists: false } } as const satisfies Filter<OrderRecord>;

/** Gives orders without an account to the account that confirms their email address. */
export const joinOrders =
  ({ db }: { readonly db: Db }): JoinRecords =>
  async (session, owner) => {
    const { orders } = collectionsOf(db);
    const { id, email } = owner;
    const theirs = { customerEmail: email, ...unowned, ...dateWithin('orderDate', owner) };
    const found = await orders.find(theirs, { session, projection: { _id: 1 } }).toArray();
    if (found.length === 0) return;
    const ids = found.map(({ _id }) => _id);
    await orders.updateMany({ ...theirs, _id: { $in: ids } }, { $set: { customerId: id } }, { session });
    await giveHistory({ db }, session, 'order', ids, id);
  };

/**
 * Shows an account's current address on its orders and its requests about stock: staff write to it, and find orders by it,
 * and the earlier address may belong to somebody else by now. In batches; what has been done doesn't match again.
 */
export const followAddress =
  ({ db }: { readonly db: Db }): OnAccount =>
  async ({ account, email, erasing }) => {
    if (email === undefined || erasing) return;
    const { orders, stockRequests } = collectionsOf(db);
    await stockRequests.updateMany({ accountId: account, email: { $ne: email } }, { $set: { email } });
    for (let last: ObjectId | undefined; ;) {
      const found = await orders
        .find(
          { customerId: account, customerEmail: { $ne: email }, ...(last && { _id: { $lt: last } }) },
          { projection: { customerEmail: 1 } },
        )
        .sort({ _id: -1 })
        .limit(batchSize)
        .toArray();
      const ids = found.filter(({ customerEmail }) => !isErasedEmail(customerEmail)).map(({ _id }) => _id);
      // An order that is being anonymised meanwhile no longer has its address.
      const earlier = [...new Set(found.map(({ customerEmail }) => customerEmail))].filter(
        (one) => !isErasedEmail(one),
      );
      await orders.updateMany(
        { _id: { $in: ids }, customerEmail: { $in: earlier } },
        { $set: { customerEmail: email } },
      );
      last = found.at(-1)?._id;
      if (found.length < batchSize) return;
    }
  };

/**
 * Gives orders to the accounts that placed them according to the history: customers have always ordered for themselves. An
 * order without such an event waits for the account that confirms its email address.
 *
 * @param since - only orders from then on
 * @returns number of orders that got an account
 */
export async function findCustomerAccounts(db: Db, since = new Date(0)): Promise<number> {
  let found = 0;
  let batch: UnownedOrder[] = [];
  for await (const order of collectionsOf(db).orders.find(unownedSince(since), {
    projection: { customerEmail: 1 },
    batchSize,
  })) {
    if (batch.push(order) < batchSize) continue;
    found += await giveToTheirAccounts(db, batch);
    batch = [];
  }
  return found + (await giveToTheirAccounts(db, batch));
}

type UnownedOrder = Pick<OrderRecord, '_id' | 'customerEmail'>;

export function unownedSince(since: Date): Filter<OrderRecord> {
  return { orderDate: { $gte: since }, ...unowned };
}

async function giveToTheirAccounts(db: Db, batch: readonly UnownedOrder[]): Promise<number> {
  const ids = batch.filter(({ customerEmail }) => !isErasedEmail(customerEmail)).map(({ _id }) => _id.toHexString());
  const placed = await db
    .collection<HistoryEvent>('events')
    .find(
      { 'record.type': 'order', 'record.id': { $in: ids }, action: 'placed' },
      { projection: { record: 1, actor: 1 } },
    )
    .toArray();
  const accounts = new Map(placed.flatMap(({ record, actor }) => (actor ? [[record.id, actor.id] as const] : [])));
  const writes = batch.flatMap(({ _id }) => {
    const customerId = accounts.get(_id.toHexString());
    return customerId === undefined
      ? []
      : [{ updateOne: { filter: { _id, ...unowned }, update: { $set: { customerId } } } }];
  });
  if (writes.length === 0) return 0;
  return (await collectionsOf(db).orders.bulkWrite(writes, { ordered: false })).modifiedCount;
}

/** Data migrations of the `pharmacy` database, in order. */
export const schemaChanges: readonly SchemaChange[] = [
  {
    number: 1,
    name: 'orders belong to accounts',
    up: async ({ db }) => {
      await findCustomerAccounts(db);
    },
  },
];
