import { batchesById, type ServiceContext } from '@clinic/service-kit';
import type { ObjectId } from 'mongodb';
import { usersOf } from '../users/user-record.ts';
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
  const where = since && { createdAt: { $gte: since } };
  for await (const users of batchesById(context, usersOf(context), { where, size: batchSize, projection: { _id: 1 } }))
    added += await addMissing(
      context,
      users.map(({ _id }) => _id),
    );
  return added;
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
