import type { ObjectId } from 'mongodb';
import type { IdentityContext } from '../settings.ts';
import { usersOf } from '../users/user-record.ts';
import { deletionsOf } from './deletion-record.ts';
import { erasedOf } from './erased-accounts.ts';

/** Milliseconds for which replicas of an earlier release may still run beside this one. */
const lately = 86_400_000;

/**
 * Takes over what a release that didn't note deletions has begun: accounts that it has locked, and accounts that it has
 * deleted here, whatever the other services still have of them.
 */
export async function adoptDeletions(context: Pick<IdentityContext, 'db'>): Promise<void> {
  const adopt = (_id: ObjectId, startedAt: Date) =>
    deletionsOf(context).updateOne(
      { _id },
      { $setOnInsert: { startedAt, requestId: 'upgrade', services: {} } },
      { upsert: true },
    );
  const locked = usersOf(context).find({ erasingSince: { $gte: new Date(0) } }, { projection: { erasingSince: 1 } });
  for await (const { _id, erasingSince = new Date() } of locked) await adopt(_id, erasingSince);
  const erased = erasedOf(context.db).find({ at: { $gte: new Date(Date.now() - lately) } });
  for await (const { _id, at } of erased) await adopt(_id, at);
}
