import { createHash } from 'node:crypto';
import type { ClientSession, Collection, Db, ObjectId } from 'mongodb';
import { ProblemError, type IndexPlan } from '@clinic/service-kit';

/** A deleted account: only the fact that it existed. */
export interface ErasedAccount {
  /** The user's id. */
  readonly _id: ObjectId;
  readonly at: Date;
  /** SHA-256 of the Firebase uid, a random number. Removed once all ID tokens of the account must have expired. */
  readonly uidHash?: string;
}

export const erasedIndexes: IndexPlan = {
  erased: [
    { key: { uidHash: 1 }, name: 'account' },
    { key: { at: 1 }, name: 'age' },
  ],
};

export const erasedOf = (db: Db): Collection<ErasedAccount> => db.collection('erased');

/** Firebase's ID tokens live for an hour; twice that for safety. */
const rememberMs = 2 * 3_600_000;

const hashOf = (uid: string): string => createHash('sha256').update(uid).digest('base64url');

/** Records, in the transaction that deletes the user, that the account is gone. */
export async function noteErased(
  { db }: { readonly db: Db },
  session: ClientSession,
  userId: ObjectId,
  uid: string | undefined,
): Promise<void> {
  await erasedOf(db).insertOne(
    { _id: userId, at: new Date(), ...(uid !== undefined && { uidHash: hashOf(uid) }) },
    { session },
  );
}

/**
 * Rejects deleted accounts: an ID token outlives its account for up to an hour, and must not create a new user.
 *
 * @throws ProblemError forbidden
 */
export async function rejectErased({ db }: { readonly db: Db }, uid: string): Promise<void> {
  const erased = await erasedOf(db).findOne({ uidHash: hashOf(uid) }, { projection: { _id: 1 } });
  if (erased) throw new ProblemError('forbidden', { detail: 'This account has been deleted.' });
}

/** Forgets the uids of accounts whose tokens have expired. */
export async function forgetErasedAccounts({ db }: { readonly db: Db }): Promise<void> {
  await erasedOf(db).updateMany(
    { at: { $lt: new Date(Date.now() - rememberMs) }, uidHash: { $exists: true } },
    { $unset: { uidHash: 1 } },
  );
}
