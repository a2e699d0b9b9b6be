import type { ClientSession, Collection, Db } from 'mongodb';
import type { ServiceContext } from '../context.ts';
import type { SessionCaller } from './session-claims.ts';

/** The owner of an email address, as far as this service knows. */
interface ContactRecord {
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

const contactsOf = (db: Db): Collection<ContactRecord> => db.collection('contacts');

/**
 * The account that has confirmed this email address here, if any: the owner of a new record that someone else creates.
 * A record that people create for themselves belongs to their own account.
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

/** Forgets an address, e.g. of a deleted person. */
export async function forgetContact(
  { db }: { readonly db: Db },
  { email, userId }: { readonly email: string; readonly userId: string },
): Promise<void> {
  await contactsOf(db).deleteMany({ accountId: userId });
  await contactsOf(db).deleteMany({ _id: email, accountId: { $exists: false } });
}

/** Accounts cached as joined, which saves a lookup per call. */
const rememberAtMost = 10_000;

/**
 * Joins records to accounts: the first time a service sees an account with a confirmed address, the account gets the
 * records under that address that belong to nobody yet. An unconfirmed address gets nothing.
 */
export class Joining {
  readonly #context: Pick<ServiceContext, 'db' | 'inTransaction'>;
  readonly #join: JoinRecords;
  readonly #joined = new Set<string>();

  constructor(context: Pick<ServiceContext, 'db' | 'inTransaction'>, join: JoinRecords) {
    this.#context = context;
    this.#join = join;
  }

  /** Call this before handling a caller's request. */
  async meet({ id, email, confirmed }: Pick<SessionCaller, 'id' | 'email' | 'confirmed'>): Promise<void> {
    if (!confirmed) return;
    const key = `${id} ${email}`;
    if (this.#joined.has(key)) return;
    const contacts = contactsOf(this.#context.db);
    const known = await contacts.findOne({ _id: email }, { projection: { accountId: 1 } });
    if (known?.accountId !== id) {
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
    if (this.#joined.size >= rememberAtMost) this.#joined.clear();
    this.#joined.add(key);
  }
}
