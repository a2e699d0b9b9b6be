import { createHash } from 'node:crypto';
import type { ClientSession, Collection, Db, ObjectId } from 'mongodb';
import { ProblemError, type IndexPlan } from '@clinic/service-kit';

/** Somebody who was deleted; tells nothing but that it happened. */
interface ErasedAccount {
  /** The user's id. */
  readonly _id: ObjectId;
  readonly at: Date;
  /** SHA-256 of the Firebase uid, a random number. Removed once no ID token of the account can live. */
  readonly uidHash?: string;
}

export const erasedIndexes: IndexPlan = { erased: [{ key: { uidHash: 1 }, name: 'account' }, { key: { at: 1 }, name: 'age' }] };

const erasedOf = (db: Db): Collection<ErasedAccount> => db.collection('erased');

/** Firebase's ID tokens live an hour; ours to spare. */
const rememberMs = 2 * 3_600_000;

const hashOf = (uid: string): string => createHash('sha256').update(uid).digest('base64url');

/** Notes, in the transaction that deletes the user, that the account is gone. */
export async function noteErased({ db }: { readonly db: Db }, session: ClientSession, userId: ObjectId, uid: string | undefined): Promise<void> {
  await erasedOf(db).insertOne({ _id: userId, at: new Date(), ...(uid !== undefined && { uidHash: hashOf(uid) }) }, { session });
}

/**
 * An ID token outlives its account for up to an hour, and must not make a new user out of a deleted one.
 *
 * @throws ProblemError forbidden
 */
export async function refuseErased({ db }: { readonly db: Db }, uid: string): Promise<void> {
  const erased = await erasedOf(db).findOne({ uidHash: hashOf(uid) }, { projection: { _id: 1 } });
  if (erased) throw new ProblemError('forbidden', { detail: 'This account has been deleted.' });
}

/** Forgets the accounts whose tokens are over. */
export async function forgetErasedAccounts({ db }: { readonly db: Db }): Promise<void> {
  await erasedOf(db).updateMany({ at: { $lt: new Date(Date.now() - rememberMs) }, uidHash: { $exists: true } }, { $unset: { uidHash: 1 } });
}
