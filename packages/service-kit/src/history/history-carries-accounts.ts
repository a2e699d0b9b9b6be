import type { AnyBulkWriteOperation, ObjectId } from 'mongodb';
import type { ServiceContext } from '../context.ts';
import { batchesById } from '../database/batches.ts';
import type { SchemaChange } from '../database/schema-changes.ts';
import type { HistoryEvent } from './events.ts';

/** An event of an earlier release. */
export type EarlierEvent = Pick<HistoryEvent, 'at' | 'actor' | 'record' | 'subject' | 'accounts'> & {
  readonly _id: ObjectId;
};

/**
 * The schema change that gives each event of earlier releases the accounts it is about: the actor's, and those that the
 * service's own records know. Safe to repeat.
 *
 * @param accountsOf - by event id, further accounts of a batch of events; only those that are certain
 */
export function historyCarriesAccounts(
  number: number,
  accountsOf: (
    context: ServiceContext,
    events: readonly EarlierEvent[],
  ) => Promise<ReadonlyMap<string, readonly (string | undefined)[]>>,
): SchemaChange {
  return {
    number,
    name: 'events carry the accounts they are about',
    up: async (context) => {
      const events = context.db.collection<EarlierEvent>('events');
      const projection = { at: 1, actor: 1, record: 1, subject: 1, accounts: 1 };
      for await (const batch of batchesById(context, events, { projection })) {
        const known = await accountsOf(context, batch);
        const writes = batch.flatMap(({ _id, actor, accounts = [] }): AnyBulkWriteOperation<EarlierEvent>[] => {
          const about = [actor?.id, ...(known.get(_id.toHexString()) ?? [])].filter((id) => id !== undefined);
          const missing = [...new Set(about)].filter((id) => !accounts.includes(id));
          if (missing.length === 0) return [];
          return [{ updateOne: { filter: { _id }, update: { $addToSet: { accounts: { $each: missing } } } } }];
        });
        if (writes.length > 0) await events.bulkWrite(writes, { ordered: false });
      }
    },
  };
}
