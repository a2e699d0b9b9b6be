import type { ClientSession, Collection, Db } from 'mongodb';
import type { ServiceContext } from '../context.ts';
import { knownAccountsOf } from './known-accounts.ts';
import type { AccountHolder } from '../privacy/person.ts';
import type { SessionCaller } from './session-claims.ts';

/** The owner of an email address, as far as this service knows. */
export interface ContactRecord {
  /** Lower case. */
  readonly _id: string;
  /** The account that has confirmed the address, if any. */
  readonly accountId?: string;
  /**
   * Incremented by every transaction that writes a record under the address, so that it conflicts with a concurrent
   * join and one of them is retried.
   */
  readonly writes: number;
}

/** An account with its confirmed email address. */
export interface KnownPerson {
  readonly id: string;
  /** Lower case. */
  readonly email: string;
}

/**
 * Gives an account the records under its email address that belong to no account yet. Must use the session for every
 * operation, and must never take a record from another account.
 */
export type JoinRecords = (session: ClientSession, person: KnownPerson) => Promise<void>;

export const contactsOf = (db: Db): Collection<ContactRecord> => db.collection('contacts');

/**
 * The account that has confirmed this email address here, if any, as far as this service knows: services ask by
 * `ownerOfRecord`, which first makes sure of that.
 *
 * @param email - lower case
 * @param session - the transaction that writes the record
 */
export async function accountOfEmail(
  { db }: { readonly db: Db },
  session: ClientSession,
  email: string,
): Promise<string | undefined> {
  const contact = await contactsOf(db).findOneAndUpdate(
    { _id: email },
    { $inc: { writes: 1 } },
    { upsert: true, returnDocument: 'after', session },
  );
  return contact?.accountId;
}

/** Makes a transaction conflict with every other that writes a record under the address, and with the address's next owner. */
export async function lockAddress(context: { readonly db: Db }, session: ClientSession, email: string): Promise<void> {
  await accountOfEmail(context, session, email);
}

/** {@link accountOfEmail} for a schema change, which runs before the service follows accounts. */
export const accountOfOldRecord = accountOfEmail;

/**
 * The accounts that have confirmed these email addresses here, by address.
 *
 * @param emails - lower case
 */
export async function accountsOfEmails(
  { db }: { readonly db: Db },
  emails: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (emails.length === 0) return new Map();
  const found = await contactsOf(db)
    .find({ _id: { $in: [...new Set(emails)] }, accountId: { $exists: true } })
    .toArray();
  return new Map(found.map(({ _id, accountId = '' }) => [_id, accountId]));
}

/** The confirmed email addresses of some accounts, by account: those that have used this service and aren't deleted. */
export async function emailsOfAccounts(
  { db }: { readonly db: Db },
  accounts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (accounts.length === 0) return new Map();
  const found = await contactsOf(db)
    .find({ accountId: { $in: [...new Set(accounts)] } })
    .toArray();
  return new Map(found.map(({ _id, accountId = '' }) => [accountId, _id]));
}

/**
 * Those of some accounts that have confirmed their address here: only they get what others could use, and mails.
 *
 * @param session - the transaction, if there is one
 */
export async function confirmedAccounts(
  { db }: { readonly db: Db },
  accounts: readonly string[],
  session?: ClientSession,
): Promise<ReadonlySet<string>> {
  if (accounts.length === 0) return new Set();
  const found = await contactsOf(db)
    .find({ accountId: { $in: [...new Set(accounts)] } }, { projection: { accountId: 1 }, ...(session && { session }) })
    .toArray();
  return new Set(found.map(({ accountId = '' }) => accountId));
}

/** Forgets the addresses of a deleted person. */
export async function forgetContacts(
  { db }: { readonly db: Db },
  { id, addresses }: Pick<AccountHolder, 'id' | 'addresses'>,
): Promise<void> {
  await contactsOf(db).deleteMany({ accountId: id });
  await contactsOf(db).deleteMany({
    _id: { $in: addresses.map(({ email }) => email) },
    accountId: { $exists: false },
  });
}

/** Gives an account the records under its address, if it is still its own. */
export function joinOwned(
  { db, inTransaction }: Pick<ServiceContext, 'db' | 'inTransaction'>,
  join: JoinRecords,
  { id, email }: KnownPerson,
): Promise<void> {
  return inTransaction(async (session) => {
    // Conflicts with whoever writes a record under the address.
    const owned = await contactsOf(db).updateOne({ _id: email, accountId: id }, { $inc: { writes: 1 } }, { session });
    if (owned.matchedCount === 1) await join(session, { id, email });
  });
}

/** Accounts cached as joined, which saves a lookup per call. */
const rememberAtMost = 10_000;

/** What decides who owns an address, apart from a session token. */
export interface AddressFeed {
  /** Whether it decides; if not, tokens do. */
  decides(): Promise<boolean>;
  /** Applies every change up to now. */
  current(): Promise<boolean>;
}

/**
 * Makes sure that an account has its records before its first call is handled, even if the call arrives before the
 * account feed. An unconfirmed address gets nothing.
 */
export class Joining {
  readonly #context: Pick<ServiceContext, 'db' | 'inTransaction'>;
  readonly #join: JoinRecords;
  readonly #feed: AddressFeed | undefined;
  readonly #joined = new Set<string>();

  constructor(context: Pick<ServiceContext, 'db' | 'inTransaction'>, join: JoinRecords, feed: AddressFeed | undefined) {
    this.#context = context;
    this.#join = join;
    this.#feed = feed;
  }

  /** Call this before handling a caller's request. */
  async ensureJoined(caller: Pick<SessionCaller, 'id' | 'email' | 'confirmed' | 'version'>): Promise<void> {
    const { id, email, confirmed } = caller;
    if (!confirmed) return;
    const key = `${id} ${email}`;
    if (this.#joined.has(key)) return;
    const claim = await this.#claimOf(caller);
    if (claim === 'none') return;
    if (claim === 'token') await this.#learn(id, email);
    else await this.#joinIfPending(id, email);
    if (this.#joined.size >= rememberAtMost) this.#joined.clear();
    this.#joined.add(key);
  }

  /**
   * What gives the caller their address: the `feed`, or the session `token`. With a feed a token does only if the feed says
   * nothing about the account's address, because it was confirmed at a replica of a release without the feed. Never if the
   * feed knows a newer state: the token is about to end, and the address may be somebody else's.
   */
  async #claimOf({
    id,
    email,
    version,
  }: Pick<SessionCaller, 'id' | 'email' | 'version'>): Promise<'feed' | 'token' | 'none'> {
    const ownerNow = async () =>
      (await contactsOf(this.#context.db).findOne({ _id: email }, { projection: { accountId: 1 } }))?.accountId;
    if ((await ownerNow()) === id) return 'feed';
    if (!this.#feed || !(await this.#feed.decides())) return 'token';
    await this.#feed.current();
    const known = await knownAccountsOf(this.#context).findOne({ _id: id });
    if (known && (known.email !== undefined || known.version > version)) return known.email === email ? 'feed' : 'none';
    const owner = await ownerNow();
    return owner === undefined || owner === id ? 'token' : 'none';
  }

  /** The records join in the background, but a caller doesn't have to wait for their turn. */
  async #joinIfPending(id: string, email: string): Promise<void> {
    const known = await knownAccountsOf(this.#context).findOne({ _id: id }, { projection: { pending: 1 } });
    if (known?.pending !== undefined) await joinOwned(this.#context, this.#join, { id, email });
  }

  async #learn(id: string, email: string): Promise<void> {
    const contacts = contactsOf(this.#context.db);
    await this.#context.inTransaction(async (session) => {
      await contacts.updateOne(
        { _id: email },
        { $set: { accountId: id }, $inc: { writes: 1 } },
        { upsert: true, session },
      );
      // The account's previous address no longer belongs to it.
      await contacts.deleteMany({ accountId: id, _id: { $ne: email } }, { session });
      await this.#join(session, { id, email });
    });
  }
}
