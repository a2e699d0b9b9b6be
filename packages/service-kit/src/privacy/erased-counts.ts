import type { ClientSession, Collection, Db, ObjectId } from 'mongodb';
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

/** The event that an erasure has reached; some people's history takes many steps. */
export interface ReachedEvent {
  /** Which of the filters that find the person's events. */
  readonly filter: number;
  readonly at: Date;
  readonly event: ObjectId;
}

/** How far this service has got with a person; in the end without anything that identifies them. */
interface ErasureRecord extends Partial<ErasedCounts> {
  /** The account. */
  readonly _id: string;
  readonly doneAt?: Date;
  /** In the history, until it is done. */
  readonly reached?: ReachedEvent;
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
  reached?: ReachedEvent,
): Promise<void> {
  const update = { $inc: counts, ...(reached && { $set: { reached } }) };
  await erasuresOf(db).updateOne({ _id: id }, update, { upsert: true, session });
}
