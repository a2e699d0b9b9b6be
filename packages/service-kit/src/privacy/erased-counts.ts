import type { ClientSession, Collection, Db } from 'mongodb';
import type { AccountHolder } from './person.ts';

/** What an erasure did. */
export interface ErasedCounts {
  /** Records that were erased or anonymised. */
  readonly records: number;
  /** How many of them were cancelled. */
  readonly cancelled: number;
  /** History entries that were anonymised. */
  readonly events: number;
}

/** How far this service has got with a person; in the end without anything that identifies them. */
interface ErasureRecord extends Partial<ErasedCounts> {
  /** The account. */
  readonly _id: string;
  readonly doneAt?: Date;
  /** When the history got its entry. */
  readonly notedAt?: Date;
  /** If this service itself deletes the person; empty once it is done. */
  readonly local?: { readonly email?: string; readonly requestId?: string };
}

export const erasuresOf = (db: Db): Collection<ErasureRecord> => db.collection('erasures');

/**
 * Counts what an erasure does to some records, in the transaction that does it: an interrupted step loses nothing, and a
 * repeated one counts nothing twice.
 */
export async function countErased(
  { db }: { readonly db: Db },
  session: ClientSession,
  { id }: Pick<AccountHolder, 'id'>,
  counts: Partial<ErasedCounts>,
): Promise<void> {
  await erasuresOf(db).updateOne({ _id: id }, { $inc: counts }, { upsert: true, session });
}
