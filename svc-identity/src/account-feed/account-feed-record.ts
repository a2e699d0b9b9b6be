import type { AccountChange } from '@clinic/service-kit';
import type { Collection, Db } from 'mongodb';

/** An account's entry in the feed that other services follow. Kept after a deletion, without addresses. */
export interface AccountFeedRecord extends Omit<AccountChange, 'account' | 'sessionsEndedAt'> {
  /** The account. */
  readonly _id: string;
  readonly sessionsEndedAt?: Date;
}

export const accountFeedOf = ({ db }: { readonly db: Db }): Collection<AccountFeedRecord> =>
  db.collection('accountFeed');
