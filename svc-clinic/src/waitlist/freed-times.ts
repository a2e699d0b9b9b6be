import { newId } from '@clinic/service-kit';
import type { ClientSession, Collection } from 'mongodb';
import type { ClinicCollections } from '../collections.ts';
import type { FreedRecord } from './waitlist-record.ts';

/** Called when freed times have been noted, by the collection's database. */
const wakers = new Map<string, Set<() => void>>();
/** Transactions that have free times already: each wakes once. */
const woken = new WeakSet<ClientSession>();

/** Calls `wake` soon after each transaction of this process that has freed times. @returns unsubscribes */
export function onFreedTimes({ freedTimes }: Pick<ClinicCollections, 'freedTimes'>, wake: () => void): () => void {
  const key = freedTimes.namespace;
  const set = wakers.get(key) ?? new Set();
  wakers.set(key, set.add(wake));
  return () => void set.delete(wake);
}

/**
 * Notes that times may have become free, in the transaction that frees them. Any replica's sweep finds the note in the
 * database; waking this process's own only makes it faster.
 *
 * @param what - the doctor whose times are free; with `patientId`, that patient may also be able to take other times
 */
export async function noteFreedTimes(
  { freedTimes }: Pick<ClinicCollections, 'freedTimes'>,
  what: Pick<FreedRecord, 'doctorEmail' | 'patientId' | 'everybody'>,
  session: ClientSession,
): Promise<void> {
  await freedTimes.insertOne({ _id: newId(), at: new Date(), ...what }, { session });
  wakeAfter(freedTimes, session);
}

function wakeAfter({ namespace }: Pick<Collection<FreedRecord>, 'namespace'>, session: ClientSession): void {
  if (woken.has(session)) return;
  woken.add(session);
  // By then the transaction has committed, or there is nothing to find.
  session.once('ended', () => {
    for (const wake of wakers.get(namespace) ?? []) wake();
  });
}
