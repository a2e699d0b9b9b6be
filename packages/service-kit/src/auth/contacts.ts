import type { ClientSession, Collection, Db } from 'mongodb';
import type { AccountHolder } from '../privacy/person.ts';

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
