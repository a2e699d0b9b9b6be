import type { EarlierEvent, HistoryEvent, SchemaChange, ServiceContext } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import { collectionsOf } from '../collections.ts';

/** The customers' accounts of events about orders. */
export async function customersOfEvents(
  { db }: Pick<ServiceContext, 'db'>,
  events: readonly EarlierEvent[],
): Promise<ReadonlyMap<string, readonly (string | undefined)[]>> {
  const ofOrders = events.filter(({ record }) => record.type === 'order' && ObjectId.isValid(record.id));
  const orders = await collectionsOf(db)
    .orders.find(
      { _id: { $in: ofOrders.map(({ record }) => new ObjectId(record.id)) } },
      { projection: { customerId: 1 } },
    )
    .toArray();
  const customers = new Map(orders.map(({ _id, customerId }) => [_id.toHexString(), customerId]));
  return new Map(ofOrders.map(({ _id, record }) => [_id.toHexString(), [customers.get(record.id)]]));
}

/** Gives medicines the account that added them, according to the history. */
export const medicinesCarryAccounts = (number: number): SchemaChange => ({
  number,
  name: 'medicines carry the account that added them',
  up: async ({ db, stopping }) => {
    const added = db
      .collection<HistoryEvent>('events')
      .find(
        { 'record.type': 'medicine', action: 'added', actor: { $exists: true } },
        { projection: { record: 1, actor: 1 } },
      );
    for await (const { record, actor } of added) {
      stopping.throwIfAborted();
      if (actor && ObjectId.isValid(record.id))
        await collectionsOf(db).medicines.updateOne(
          { _id: new ObjectId(record.id), pharmacistEmail: actor.email, pharmacistId: { $exists: false } },
          { $set: { pharmacistId: actor.id } },
        );
    }
  },
});
