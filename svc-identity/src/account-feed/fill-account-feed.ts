import type { HistoryEvent, ServiceContext } from '@clinic/service-kit';
import type { Filter, ObjectId } from 'mongodb';
import { changedRecord } from '../access/access-events.ts';
import { usersOf, type UserRecord } from '../users/user-record.ts';
import { accountFeedOf, noteAccount, prepareAccountFeed } from './account-feed.ts';

/** Accounts read at a time, and in one transaction. */
const batchSize = 100;

/**
 * Adds accounts to the feed that aren't in it, with the addresses that they gave up according to the history. Safe to
 * repeat at any time.
 *
 * @param since - only accounts created from then on, by replicas of a release without the feed; default: all
 * @returns number of accounts added
 */
export async function fillAccountFeed(
  context: Pick<ServiceContext, 'db' | 'inTransaction' | 'stopping'>,
  since?: Date,
): Promise<number> {
  await prepareAccountFeed(context);
  let added = 0;
  let last: ObjectId | undefined;
  for (;;) {
    context.stopping.throwIfAborted();
    const which: Filter<UserRecord> = {
      ...(since && { createdAt: { $gte: since } }),
      ...(last && { _id: { $gt: last } }),
    };
    const users = await usersOf(context)
      .find(which, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .limit(batchSize)
      .toArray();
    if (users.length === 0) return added;
    added += await addMissing(
      context,
      users.map(({ _id }) => _id),
    );
    last = users.at(-1)?._id;
  }
}

async function addMissing(
  context: Pick<ServiceContext, 'db' | 'inTransaction'>,
  ids: readonly ObjectId[],
): Promise<number> {
  const accounts = ids.map((_id) => _id.toHexString());
  const present = await accountFeedOf(context)
    .find({ _id: { $in: accounts } }, { projection: { _id: 1 } })
    .toArray();
  const known = new Set(present.map(({ _id }) => _id));
  const missing = ids.filter((_id) => !known.has(_id.toHexString()));
  if (missing.length === 0) return 0;
  const former = await formerAddresses(
    context,
    missing.map((_id) => _id.toHexString()),
  );
  return context.inTransaction(async (session) => {
    let added = 0;
    for (const _id of missing) if (await noteAccount(context, session, _id, former.get(_id.toHexString()))) added += 1;
    return added;
  });
}

/** Addresses that accounts gave up, by account. */
async function formerAddresses(
  { db }: Pick<ServiceContext, 'db'>,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const changes = await db
    .collection<HistoryEvent>('events')
    .find({ 'record.type': changedRecord, 'record.id': { $in: [...accounts] }, action: 'e-mail changed' })
    .toArray();
  const former = new Map<string, string[]>();
  for (const { record, before } of changes) {
    const email = (before as { readonly email?: unknown } | null)?.email;
    if (typeof email === 'string') former.set(record.id, [...(former.get(record.id) ?? []), email]);
  }
  return former;
}
