import type { ClientSession } from 'mongodb';
import type { ServiceContext } from '../context.ts';
import type { AccountChange, Holding } from './account-feed.ts';
import { contactsOf, lockAddress, type KnownPerson } from './contacts.ts';
import { knownAccountsOf, type KnownAccount } from './known-accounts.ts';

/** An account with a confirmed email address that it has or had, and the time of its records under that address. */
export interface AddressOwner extends KnownPerson {
  /** Earlier records are a previous owner's; absent: there was none. */
  readonly from?: Date;
  /** When the account gave the address up, exclusive; absent: it has it now. */
  readonly until?: Date;
}

/**
 * Gives an account the records under an email address that belong to no account yet, and were made from `from` on and
 * before `until`. Must use the session for every operation, and must never take a record from another account.
 */
export type JoinRecords = (session: ClientSession, owner: AddressOwner) => Promise<void>;

type Context = Pick<ServiceContext, 'db' | 'inTransaction'>;

const ownerFor = (id: string, { email, since, until }: Holding): AddressOwner => ({
  id,
  email,
  ...(since !== undefined && { from: new Date(since) }),
  ...(until !== undefined && { until: new Date(until) }),
});

/** An account's current address, with its time if svc-identity has told it. */
const currentOwner = (id: string, email: string, known: Pick<KnownAccount, 'held'> | null): AddressOwner =>
  ownerFor(id, known?.held?.find((one) => one.email === email && one.until === undefined) ?? { email });

/**
 * The confirmed addresses of an account with their times, as svc-identity tells them.
 *
 * @param email - its current address, for which there is no time if svc-identity is of an earlier release
 */
export async function addressesOfAccount(
  { db }: Pick<ServiceContext, 'db'>,
  { id, email }: KnownPerson,
  session?: ClientSession,
): Promise<AddressOwner[]> {
  const known = await knownAccountsOf({ db }).findOne({ _id: id }, { ...(session && { session }) });
  const former = (known?.held ?? []).filter(({ until }) => until !== undefined);
  return [currentOwner(id, email, known), ...former.map((one) => ownerFor(id, one))];
}

/** Gives an account the records under its address, if it is still its own. */
export function joinOwned(
  { db, inTransaction }: Context,
  join: JoinRecords,
  { id, email }: KnownPerson,
): Promise<void> {
  return inTransaction(async (session) => {
    // Conflicts with whoever writes a record under the address.
    const owned = await contactsOf(db).updateOne({ _id: email, accountId: id }, { $inc: { writes: 1 } }, { session });
    if (owned.matchedCount === 0) return;
    const [current] = await addressesOfAccount({ db }, { id, email }, session);
    if (current) await join(session, current);
  });
}

/**
 * Gives accounts what was made for an address while it was theirs, if this service only learns now that they have had it
 * and given it up. In the transaction that applies the feed: what is written for the address afterwards is its next owner's.
 *
 * @param before - this service's copies so far
 */
export async function joinGivenUp(
  { db }: Pick<ServiceContext, 'db'>,
  session: ClientSession,
  join: JoinRecords,
  changes: readonly AccountChange[],
  before: ReadonlyMap<string, KnownAccount>,
): Promise<void> {
  for (const { account, held = [] } of changes) {
    const applied = before.get(account)?.held ?? [];
    for (const one of held) {
      const { email, until } = one;
      if (until === undefined || applied.some((other) => other.email === email && other.until === until)) continue;
      await lockAddress({ db }, session, email);
      await join(session, ownerFor(account, one));
    }
  }
}

/**
 * Gives records that this service has just written for an address to whoever had it when they were made: their cause may be
 * older than the last change of the address. Either this finds a record, or the join of an account that comes later does.
 *
 * @param email - lower case
 * @param current - whether this service knows every change of an account up to now. Otherwise who has the address may have
 *   given it up before, and gets the records only once it is known until when it was theirs.
 */
export function joinHeld(
  { db, inTransaction }: Context,
  join: JoinRecords,
  email: string,
  current: boolean,
): Promise<void> {
  return inTransaction(async (session) => {
    await lockAddress({ db }, session, email);
    const holders = await knownAccountsOf({ db }).find({ 'held.email': email }, { session }).toArray();
    for (const { _id, held = [] } of holders)
      for (const one of held)
        if (one.email === email && (current || one.until !== undefined)) await join(session, ownerFor(_id, one));
  });
}

/**
 * Those of some addresses that belong to accounts whose deletion goes on, with the time in which they were theirs.
 *
 * @param emails - lower case
 */
export async function erasedAddresses(
  { db }: Pick<ServiceContext, 'db'>,
  emails: readonly string[],
): Promise<AddressOwner[]> {
  if (emails.length === 0) return [];
  const holders = await knownAccountsOf({ db })
    .find({ 'held.email': { $in: [...emails] }, erasing: true })
    .toArray();
  return holders.flatMap(({ _id, held = [] }) =>
    held.filter(({ email }) => emails.includes(email)).map((one) => ownerFor(_id, one)),
  );
}

/** When the last account known to have had an address gave it up; absent: none did. */
export async function freeSince(
  { db }: Pick<ServiceContext, 'db'>,
  email: string,
  session?: ClientSession,
): Promise<Date | undefined> {
  const holders = await knownAccountsOf({ db })
    .find({ 'held.email': email }, { ...(session && { session }) })
    .toArray();
  const ends = holders
    .flatMap(({ held = [] }) => held)
    .filter((one) => one.email === email)
    .map(({ until }) => until)
    .filter((until) => until !== undefined);
  const last = ends.toSorted().at(-1);
  return last === undefined ? undefined : new Date(last);
}
