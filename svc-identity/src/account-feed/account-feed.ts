import { isDeepStrictEqual } from 'node:util';
import type { Holding, IndexPlan, ServiceContext } from '@clinic/service-kit';
import type { ClientSession, Collection, Db, ObjectId } from 'mongodb';
import { addressesOf, givenUpAt, holdingsOf } from '../users/held-addresses.ts';
import { usersOf, type UserRecord } from '../users/user-record.ts';
import { accountFeedOf, type AccountFeedRecord } from './account-feed-record.ts';

/** The feed's latest position: one document, so that positions are in the order of commits. */
interface FeedPosition {
  readonly _id: 'account feed';
  readonly seq: number;
}

const byPosition = { key: { seq: 1 }, name: 'by_position', unique: true } as const;

export const accountFeedIndexes: IndexPlan = { accountFeed: [byPosition] };

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
 * to the user, and before its event. An account that isn't in the feed yet, or without the times of its addresses, gets them
 * from the history.
 *
 * @returns whether the entry changed
 */
export async function noteAccount(
  context: { readonly db: Db },
  session: ClientSession,
  userId: ObjectId,
): Promise<boolean> {
  const _id = userId.toHexString();
  const feed = accountFeedOf(context);
  const user = await usersOf(context).findOne({ _id: userId }, { session });
  const known = await feed.findOne({ _id }, { session });
  const entry = user ? entryOf(user, known, await pastOf(context, user, known)) : deleted;
  if (known) {
    const { _id: _account, seq: _seq, version, held = plain(entry.held), ...before } = known;
    // A version says nothing of its own.
    if (isDeepStrictEqual({ ...before, held, version }, { ...entry, version })) {
      if (!known.held) await feed.updateOne({ _id }, { $set: { held } }, { session });
      return false;
    }
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

const deleted: Entry = {
  version: Number.MAX_SAFE_INTEGER,
  former: [],
  held: [],
  active: false,
  role: 'patient',
  erasing: true,
};

/** An address that was nobody else's is no news to services that know the entry without its times. */
const plain = (held: readonly Holding[] = []): Holding[] =>
  held.filter(({ since, until }) => since === undefined && until === undefined).map(({ email }) => ({ email }));

const confirmedEmail = ({ email, emailVerified }: UserRecord): string | undefined =>
  emailVerified ? email : undefined;

/** The addresses that an account has given up, and its confirmed ones with their times, up to this change. */
interface Past {
  readonly givenUp: readonly string[];
  readonly held: Holding[];
}

async function pastOf(context: { readonly db: Db }, user: UserRecord, known: AccountFeedRecord | null): Promise<Past> {
  const { held: before, givenUp } = await pastBefore(context, user, known);
  const email = confirmedEmail(user);
  if (before.find(({ until }) => until === undefined)?.email === email) return { givenUp, held: before };
  const until = new Date().toISOString();
  const held = before.map((one) => (one.until === undefined ? { ...one, until } : one));
  if (email === undefined) return { givenUp, held };
  const since = await givenUpAt(context, email);
  return { givenUp, held: [...held, { email, ...(since && { since: since.toISOString() }) }] };
}

/** What was known before this change, which isn't in the history yet. */
async function pastBefore(
  context: { readonly db: Db },
  user: UserRecord,
  known: AccountFeedRecord | null,
): Promise<Past> {
  const givenUp = known?.former ?? [];
  if (known?.held) return { givenUp, held: known.held };
  const { email = user.email } = known ?? {};
  const then = known ? { ...user, email, emailVerified: known.email !== undefined } : user;
  const addresses = await addressesOf(context, then);
  const left = addresses.filter(({ until }) => until !== undefined).map((one) => one.email);
  return { givenUp: [...givenUp, ...left], held: await holdingsOf(context, addresses) };
}

function entryOf(user: UserRecord, known: AccountFeedRecord | null, { givenUp, held }: Past): Entry {
  const email = confirmedEmail(user);
  const was = known?.email === undefined ? [] : [known.email];
  const former = [...new Set([...givenUp, ...was])].filter((one) => one !== email);
  return {
    version: user.version,
    ...(email !== undefined && { email }),
    former,
    held,
    active: user.disabled !== true && !user.erasingSince,
    role: user.emailVerified ? user.role : 'patient',
    ...(user.staff && { staff: true }),
    ...(user.sessionsEndedAt && { sessionsEndedAt: user.sessionsEndedAt }),
    ...(user.erasingSince && { erasing: true }),
  };
}
