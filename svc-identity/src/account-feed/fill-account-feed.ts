import type { ServiceContext } from '@clinic/service-kit';
import type { Filter, ObjectId } from 'mongodb';
import { usersOf, type UserRecord } from '../users/user-record.ts';
import { accountFeedOf } from './account-feed-record.ts';
import { noteAccount, prepareAccountFeed } from './account-feed.ts';

/** Accounts read at a time, and in one transaction. */
const batchSize = 100;

/**
 * Adds accounts to the feed that aren't in it, or are without the times of their addresses. Safe to repeat at any time.
 *
 * @param since - only accounts created from then on, by replicas of a release without the feed; default: all
 * @returns number of accounts that others have to read
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
    .find({ _id: { $in: accounts }, held: { $exists: true } }, { projection: { _id: 1 } })
    .toArray();
  const known = new Set(present.map(({ _id }) => _id));
  const missing = ids.filter((_id) => !known.has(_id.toHexString()));
  if (missing.length === 0) return 0;
  return context.inTransaction(async (session) => {
    let added = 0;
    for (const _id of missing) if (await noteAccount(context, session, _id)) added += 1;
    return added;
  });
}
