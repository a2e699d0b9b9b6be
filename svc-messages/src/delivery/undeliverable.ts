import type { Collection, Db } from 'mongodb';
import type { BounceReason } from '../contract/kinds.ts';

/** An address to which nothing is sent any more, because mails to it bounced or were reported as spam. */
export interface UndeliverableRecord {
  /** The address, lower case. */
  readonly _id: string;
  readonly at: Date;
  /** Absent in records of earlier releases, which didn't tell them apart. */
  readonly why?: BounceReason;
}

export const undeliverableOf = ({ db }: { readonly db: Db }): Collection<UndeliverableRecord> =>
  db.collection('undeliverable');
