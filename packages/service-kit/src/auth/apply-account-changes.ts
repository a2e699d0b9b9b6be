import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import type { ServiceContext } from '../context.ts';
import type { AccountChange } from './account-feed.ts';
import { contactsOf, type ContactRecord } from './contacts.ts';
import { joinGivenUp, type JoinRecords } from './join-records.ts';
import { followedPositionOf, knownAccountsOf, type KnownAccount } from './known-accounts.ts';

/**
 * Applies entries of the account feed to a service's copy of it and to the owners of addresses, in the transaction that
 * moves the position, so that replicas and restarts neither skip nor repeat one. Accounts get what was made for addresses
 * that they had and gave up since this service last read the feed.
 *
 * @param after - the position that the entries follow
 * @returns `false` if that is no longer the position: another replica was faster
 */
export function applyChanges(
  { db, inTransaction }: Pick<ServiceContext, 'db' | 'inTransaction'>,
  changes: readonly AccountChange[],
  after: number,
  joinRecords?: JoinRecords,
): Promise<boolean> {
  return inTransaction(async (session) => {
    const moved = await followedPositionOf({ db }).updateOne(
      { _id: 'account feed', seq: after },
      { $set: { seq: changes.at(-1)?.seq ?? after } },
      { session },
    );
    if (moved.matchedCount === 0) return false;
    const accounts = changes.map(({ account }) => account);
    const copies = await knownAccountsOf({ db })
      .find({ _id: { $in: accounts } }, { session })
      .toArray();
    const before = new Map(copies.map((copy) => [copy._id, copy]));
    const settled = await settledAccounts({ db }, changes, before, session);
    await knownAccountsOf({ db }).bulkWrite(
      changes.map((change) => ({
        replaceOne: { filter: { _id: change.account }, replacement: copyOf(change, settled), upsert: true },
      })),
      { session },
    );
    if (joinRecords) await joinGivenUp({ db }, session, joinRecords, changes, before);
    await contactsOf(db).bulkWrite(changes.flatMap(ownersAfter), { session });
    return true;
  });
}

/** Accounts for which there is nothing to do: they are new to the feed, and this service knew them from their tokens. */
async function settledAccounts(
  { db }: Pick<ServiceContext, 'db'>,
  changes: readonly AccountChange[],
  before: ReadonlyMap<string, KnownAccount>,
  session: ClientSession,
): Promise<ReadonlySet<string>> {
  const accounts = changes.map(({ account }) => account);
  const contacts = await contactsOf(db)
    .find({ accountId: { $in: accounts } }, { session })
    .toArray();
  const emails = new Map(contacts.map(({ _id, accountId = '' }) => [accountId, _id]));
  const same = changes.filter(
    ({ account, active, email, former }) =>
      active && former.length === 0 && !before.has(account) && emails.get(account) === email,
  );
  return new Set(same.map(({ account }) => account));
}

function copyOf(
  { account, sessionsEndedAt, ...entry }: AccountChange,
  settled: ReadonlySet<string>,
): Omit<KnownAccount, '_id'> {
  return {
    ...entry,
    ...(sessionsEndedAt !== undefined && { sessionsEndedAt: new Date(sessionsEndedAt) }),
    ...(!settled.has(account) && { pending: entry.seq }),
  };
}

/** Takes an account's earlier addresses from it, and gives it the current one. */
function ownersAfter({ account, email }: AccountChange): AnyBulkWriteOperation<ContactRecord>[] {
  const given = { $set: { accountId: account }, $inc: { writes: 1 } };
  return [
    { deleteMany: { filter: { accountId: account, ...(email !== undefined && { _id: { $ne: email } }) } } },
    ...(email === undefined ? [] : [{ updateOne: { filter: { _id: email }, update: given, upsert: true } }]),
  ];
}
