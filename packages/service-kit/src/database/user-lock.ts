import type { ClientSession, Collection, Db } from 'mongodb';
import { ProblemError } from '../http/problem-error.ts';

/** The per-user lock document. */
interface UserLock {
  /** The user's id. */
  readonly _id: string;
  readonly turns: number;
  /** When the user was deleted: nothing may be done in their name any more. */
  readonly erasedAt?: Date;
}

const turnsOf = (db: Db): Collection<UserLock> => db.collection('persons');

/**
 * Takes the per-user lock, across all replicas, for the rest of the transaction. Transactions that only count and
 * insert don't conflict, and together could exceed a limit. Here each writes the user's lock document, so that the
 * later one conflicts, is retried and counts again.
 *
 * @param userId - the caller's id
 * @throws ProblemError unauthenticated if the user has been deleted, however recently
 */
export async function takeUserLock({ db }: { readonly db: Db }, session: ClientSession, userId: string): Promise<void> {
  if (!(await takeUserLockFor({ db }, session, userId)))
    throw new ProblemError('unauthenticated', { detail: 'This account has been deleted.' });
}

/**
 * {@link takeUserLock} for changes that others make to a user's records, so that they can't race the user's own.
 *
 * @param userId - the user whose records are changed
 * @returns `false` if the user has been deleted
 */
export async function takeUserLockFor(
  { db }: { readonly db: Db },
  session: ClientSession,
  userId: string,
): Promise<boolean> {
  const person = await turnsOf(db).findOneAndUpdate(
    { _id: userId },
    { $inc: { turns: 1 } },
    { upsert: true, returnDocument: 'after', session },
  );
  return person?.erasedAt === undefined;
}

/** Marks a user as deleted: transactions in flight conflict, are retried and then rejected. */
export async function endUserLock({ db }: { readonly db: Db }, userId: string, session?: ClientSession): Promise<void> {
  await turnsOf(db).updateOne(
    { _id: userId },
    { $set: { erasedAt: new Date() }, $setOnInsert: { turns: 0 } },
    { upsert: true, ...(session && { session }) },
  );
}

/** The accounts among these that have been erased. */
export async function erasedAccounts(
  { db }: { readonly db: Db },
  userIds: readonly string[],
): Promise<readonly string[]> {
  const erased = await turnsOf(db)
    .find({ _id: { $in: [...userIds] }, erasedAt: { $exists: true } }, { projection: { _id: 1 } })
    .toArray();
  return erased.map(({ _id }) => _id);
}
