import type { Collection, Db } from 'mongodb';
import type { AccountChange } from './account-feed.ts';

/** A service's own copy of an account's entry in the account feed. */
export interface KnownAccount extends Omit<AccountChange, 'account' | 'sessionsEndedAt'> {
  /** The account. */
  readonly _id: string;
  readonly sessionsEndedAt?: Date;
  /** The position that the service's own records still have to follow; absent once they have. */
  readonly pending?: number;
}

/** How far a service has followed the account feed. */
interface FollowedPosition {
  readonly _id: 'account feed';
  /** Position of the last entry that has been applied. */
  readonly seq: number;
  /** When the service first had the whole feed. */
  readonly completeSince?: Date;
}

export const knownAccountsOf = ({ db }: { readonly db: Db }): Collection<KnownAccount> =>
  db.collection('knownAccounts');

export const followedPositionOf = ({ db }: { readonly db: Db }): Collection<FollowedPosition> =>
  db.collection('markers');

/**
 * What this service knows of accounts, by account: their current address, whether they are active, when their sessions
 * were last ended. Accounts of which the feed hasn't told yet are missing.
 */
export async function knownAccounts(
  context: { readonly db: Db },
  accounts: readonly string[],
): Promise<ReadonlyMap<string, KnownAccount>> {
  if (accounts.length === 0) return new Map();
  const found = await knownAccountsOf(context)
    .find({ _id: { $in: [...new Set(accounts)] } })
    .toArray();
  return new Map(found.map((known) => [known._id, known]));
}

/** A known account as the feed describes it. */
export function changeOf({ _id, pending: _pending, sessionsEndedAt, ...known }: KnownAccount): AccountChange {
  return { account: _id, ...known, ...(sessionsEndedAt && { sessionsEndedAt: sessionsEndedAt.toISOString() }) };
}
