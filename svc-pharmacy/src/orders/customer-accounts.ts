import { isErasedEmail } from '@clinic/contracts/erased-person';
import type { HistoryEvent, JoinRecords, SchemaChange } from '@clinic/service-kit';
import type { Db, Filter, ObjectId } from 'mongodb';
import { storesOf } from '../stores.ts';
import type { OrderDocument } from './order.ts';

/** Orders that are looked at together. */
const batchSize = 500;

/** Orders that no account has yet. */
export const nobodys = { customerId: { $exists: false } } as const satisfies Filter<OrderDocument>;

/** Orders placed before accounts owned them join the account that confirms their e-mail address; nobody else's ever do. */
export const joinOrders = ({ db }: { readonly db: Db }): JoinRecords => async (session, { id, email }) => {
  await storesOf(db).orders.updateMany({ customerEmail: email, ...nobodys }, { $set: { customerId: id } }, { session });
};

/**
 * Gives orders to the accounts that placed them, as the history tells: everyone has always ordered for themselves. An order
 * without such an event waits for the account that confirms its e-mail address.
 *
 * @param among - which of the orders that no account has
 * @returns how many found their account
 */
export async function findCustomerAccounts(db: Db, among: Filter<OrderDocument> = {}): Promise<number> {
  const { orders } = storesOf(db);
  let found = 0;
  let last: ObjectId | undefined;
  for (;;) {
    const batch: Pick<OrderDocument, '_id' | 'customerEmail'>[] = await orders
      .find({ $and: [among, nobodys, last ? { _id: { $gt: last } } : {}] }, { projection: { customerEmail: 1 } }).sort({ _id: 1 }).limit(batchSize).toArray();
    if (batch.length === 0) return found;
    last = batch.at(-1)?._id;
    const ids = batch.filter(({ customerEmail }) => !isErasedEmail(customerEmail)).map(({ _id }) => _id.toHexString());
    const placed = await db.collection<HistoryEvent>('events').find({ 'record.type': 'order', 'record.id': { $in: ids }, action: 'placed' }, { projection: { record: 1, actor: 1 } }).toArray();
    const accounts = new Map(placed.flatMap(({ record, actor }) => (actor ? [[record.id, actor.id] as const] : [])));
    const writes = batch.flatMap(({ _id }) => {
      const customerId = accounts.get(_id.toHexString());
      return customerId === undefined ? [] : [{ updateOne: { filter: { _id, ...nobodys }, update: { $set: { customerId } } } }];
    });
    if (writes.length > 0) found += (await orders.bulkWrite(writes, { ordered: false })).modifiedCount;
  }
}

/** Changes of what the database `pharmacy` holds, in order. */
export const schemaChanges: readonly SchemaChange[] = [
  {
    number: 1,
    name: 'orders belong to accounts',
    up: async ({ db }) => {
      await findCustomerAccounts(db);
    },
  },
];
