import type { ClientSession, Db } from 'mongodb';
import { takeUserLockFor, endUserLock } from '../database/user-lock.ts';
import type { OpenDeletion } from './deletions.ts';
import { erasuresOf, type ErasedCounts } from './erased-counts.ts';

interface Context {
  readonly db: Db;
}

/** Somebody without an account, whom only this service knows. */
export interface LocalPerson {
  /** Unlike that of any account. */
  readonly id: string;
  /** That only this person's records have, lower case. */
  readonly email: string;
}

/**
 * Notes that this service deletes somebody whom svc-identity doesn't know. From the end of the transaction on, the person's
 * lock is ended ({@link takeUserLockFor}), and the service erases until nothing is left, whatever is killed meanwhile.
 *
 * @returns what `eraseStep` takes, and whether this is the first time
 */
export async function startLocalDeletion(
  { db }: Context,
  session: ClientSession,
  { id, email }: LocalPerson,
  requestId: string,
): Promise<{ readonly deletion: OpenDeletion; readonly first: boolean }> {
  const first = await takeUserLockFor({ db }, session, id);
  if (first) {
    await endUserLock({ db }, id, session);
    await erasuresOf(db).updateOne({ _id: id }, { $set: { local: { email, requestId } } }, { upsert: true, session });
  }
  // Whatever is done for a deletion is the first request's, also by one that comes at the same moment.
  const { local } = (await erasuresOf(db).findOne({ _id: id }, { session })) ?? {};
  return { deletion: deletionOf(id, { email, requestId: local?.requestId ?? requestId }), first };
}

/** The {@link startLocalDeletion | local deletions} that aren't done. */
export async function openLocalDeletions({ db }: Context): Promise<readonly OpenDeletion[]> {
  const open = await erasuresOf(db)
    .find({ 'local.email': { $gt: '' } })
    .toArray();
  return open.flatMap(({ _id, local }) => openOf(_id, local) ?? []);
}

/**
 * A {@link startLocalDeletion | local deletion} that was started before.
 *
 * @param id - of the person
 * @returns what is left to erase, or else what was erased; `undefined` if there was none
 */
export async function localDeletionOf(
  { db }: Context,
  id: string,
): Promise<{ readonly open?: OpenDeletion | undefined; readonly erased: ErasedCounts } | undefined> {
  const { local, records = 0, cancelled = 0, events = 0 } = (await erasuresOf(db).findOne({ _id: id })) ?? {};
  return local && { open: openOf(id, local), erased: { records, cancelled, events } };
}

function openOf(id: string, { email, requestId = '' }: Partial<LocalDeletion> = {}): OpenDeletion | undefined {
  return email === undefined ? undefined : deletionOf(id, { email, requestId });
}

interface LocalDeletion {
  readonly email: string;
  readonly requestId: string;
}

function deletionOf(id: string, { email, requestId }: LocalDeletion): OpenDeletion {
  const addresses = [{ email, since: new Date(0), confirmed: true, others: [] }];
  return { person: { id, email, addresses }, requestId };
}
