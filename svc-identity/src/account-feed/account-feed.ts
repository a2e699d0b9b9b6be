import { isDeepStrictEqual } from 'node:util';
import type { AccountChange, IndexPlan, ServiceContext } from '@clinic/service-kit';
import type { ClientSession, Collection, Db, ObjectId } from 'mongodb';
import { usersOf, type UserRecord } from '../users/user-record.ts';

/** An account's entry in the feed that other services follow. Kept after a deletion, without addresses. */
export interface AccountFeedRecord extends Omit<AccountChange, 'account' | 'sessionsEndedAt'> {
  /** The account. */
  readonly _id: string;
  readonly sessionsEndedAt?: Date;
}

/** The feed's latest position: one document, so that positions are in the order of commits. */
interface FeedPosition {
  readonly _id: 'account feed';
  readonly seq: number;
}

const byPosition = { key: { seq: 1 }, name: 'by_position', unique: true } as const;

export const accountFeedIndexes: IndexPlan = { accountFeed: [byPosition] };

export const accountFeedOf = ({ db }: { readonly db: Db }): Collection<AccountFeedRecord> =>
  db.collection('accountFeed');

const positionsOf = (db: Db): Collection<FeedPosition> => db.collection('guards');

/** Creates the feed's collections, as not every database can do that in a transaction. */
export async function prepareAccountFeed({ db }: { readonly db: Db }): Promise<void> {
  const { key, ...options } = byPosition;
  await accountFeedOf({ db }).createIndex(key, options);
  await positionsOf(db).updateOne({ _id: 'account feed' }, { $setOnInsert: { seq: 0 } }, { upsert: true });
}

/** The feed's latest position. */
export async function feedPosition({ db }: { readonly db: Db }): Promise<number> {
  return (await positionsOf(db).findOne({ _id: 'account feed' }))?.seq ?? 0;
}

/**
 * Brings an account's entry in the feed up to date. Call it in every transaction that changes an account's address or
 * whether it is confirmed, its role, its access or its sessions, and in the one that deletes it, after all other writes
 * to the user.
 *
 * @param former - addresses given up before the feed existed, lower case
 * @returns whether the entry changed
 */
export async function noteAccount(
  context: { readonly db: Db },
  session: ClientSession,
  userId: ObjectId,
  former: readonly string[] = [],
): Promise<boolean> {
  const _id = userId.toHexString();
  const feed = accountFeedOf(context);
  const user = await usersOf(context).findOne({ _id: userId }, { session });
  const known = await feed.findOne({ _id }, { session });
  const entry = user ? entryOf(user, [...(known?.former ?? []), ...former], known?.email) : deleted;
  if (known) {
    const { _id: _account, seq: _seq, version, ...before } = known;
    // A version says nothing of its own.
    if (isDeepStrictEqual({ ...before, version }, { ...entry, version })) return false;
  }
  // The last write but one: others wait for this document as briefly as possible.
  const position = await positionsOf(context.db).findOneAndUpdate(
    { _id: 'account feed' },
    { $inc: { seq: 1 } },
    { session, upsert: true, returnDocument: 'after' },
  );
  await feed.replaceOne({ _id }, { ...entry, seq: position?.seq ?? 1 }, { session, upsert: true });
  return true;
}

/** Brings entries up to date that a replica of a release without the feed has left behind. */
export async function alignAccounts(
  context: Pick<ServiceContext, 'db' | 'inTransaction'>,
  users: readonly Pick<UserRecord, '_id' | 'version'>[],
): Promise<void> {
  const entries = await accountFeedOf(context)
    .find({ _id: { $in: users.map(({ _id }) => _id.toHexString()) } }, { projection: { version: 1 } })
    .toArray();
  const versions = new Map(entries.map(({ _id, version }) => [_id, version]));
  for (const { _id, version } of users)
    if ((versions.get(_id.toHexString()) ?? 0) < version)
      await context.inTransaction((session) => noteAccount(context, session, _id));
}

type Entry = Omit<AccountFeedRecord, '_id' | 'seq'>;

const deleted: Entry = { version: Number.MAX_SAFE_INTEGER, former: [], active: false, role: 'patient', erasing: true };

function entryOf(user: UserRecord, givenUp: readonly string[], was: string | undefined): Entry {
  const email = user.emailVerified ? user.email : undefined;
  const former = [...new Set([...givenUp, ...(was === undefined ? [] : [was])])].filter((one) => one !== email);
  return {
    version: user.version,
    ...(email !== undefined && { email }),
    former,
    active: user.disabled !== true && !user.erasingSince,
    role: user.emailVerified ? user.role : 'patient',
    ...(user.staff && { staff: true }),
    ...(user.sessionsEndedAt && { sessionsEndedAt: user.sessionsEndedAt }),
    ...(user.erasingSince && { erasing: true }),
  };
}
