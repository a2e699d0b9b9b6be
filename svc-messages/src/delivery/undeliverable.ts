import type { Collection, Db } from 'mongodb';
import type { BounceReason } from '../contract/kinds.ts';

/** An address to which nothing is sent, because mail to it bounced or was reported as spam. */
export interface UndeliverableRecord {
  /** The address, lower case. */
  readonly _id: string;
  readonly at: Date;
  /** Absent in records of earlier releases, which didn't distinguish the two. */
  readonly why?: BounceReason;
}

export const undeliverableOf = ({ db }: { readonly db: Db }): Collection<UndeliverableRecord> =>
  db.collection('undeliverable');
