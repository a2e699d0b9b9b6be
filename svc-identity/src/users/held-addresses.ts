import { erasedEmail } from '@clinic/contracts/erased-person';
import type { AccountHolder, HeldAddress, HistoryEvent, Holding, Person } from '@clinic/service-kit';
import { ObjectId, type Db } from 'mongodb';
import { changedRecord, signInRecord } from '../access/access-events.ts';
import { accountFeedOf } from '../account-feed/account-feed-record.ts';
import { usersOf, type UserRecord } from './user-record.ts';

/** An address of an account, and when it had it. */
export interface Held {
  readonly email: string;
  readonly since: Date;
  readonly until?: Date;
  readonly confirmed: boolean;
}

type Context = { readonly db: Db };
type Move = HistoryEvent & { readonly before: { readonly email?: unknown } };

const moved = 'e-mail changed';

/** The addresses that a user has and had, oldest first: the history has every change. */
export async function addressesOf(context: Context, user: UserRecord): Promise<Held[]> {
  const { _id, email, createdAt, emailVerified } = user;
  const changes = await context.db
    .collection<Move>('events')
    .find({
      'record.type': changedRecord,
      'record.id': _id.toHexString(),
      // Only a confirmed address gets a second factor.
      action: { $in: [moved, 'e-mail confirmed', 'second factor set up'] },
    })
    .sort({ at: 1, _id: 1 })
    .toArray();
  const firstMove = changes.find(({ action }) => action === moved);
  const held: Held[] = [];
  let since = createdAt;
  // Google's addresses are confirmed from the start, without an event.
  const entry = await accountFeedOf(context).findOne({ _id: _id.toHexString() }, { projection: { held: 1 } });
  // An account only moves to an address that is confirmed.
  let confirmed = entry?.held?.[0]?.email === (firstMove?.before.email ?? email);
  // Nor do entries of earlier releases say it.
  if (firstMove && !confirmed) confirmed = await hasUsedGoogle(context, _id, firstMove.at);
  for (const { action, at, before } of changes) {
    if (action === moved && typeof before.email === 'string')
      held.push({ email: before.email, since, until: at, confirmed });
    if (action === moved) since = at;
    confirmed = true;
  }
  return [...held, { email, since, confirmed: emailVerified }];
}

/** Whether a user signed in with Google before a time: Google proves the address. */
async function hasUsedGoogle({ db }: Context, id: ObjectId, before: Date): Promise<boolean> {
  const signIn = await db.collection<HistoryEvent>('events').findOne({
    'record.type': signInRecord,
    'record.id': id.toHexString(),
    action: 'signed in',
    at: { $lt: before },
    'after.provider': 'google.com',
  });
  return signIn !== null;
}

/** Milliseconds: a day. */
const longAgo = 86_400_000;

/** Whether an address has been a user's own since before today: coming back to it undoes a change. */
export async function hadLongBefore(context: Context, user: UserRecord, email: string): Promise<boolean> {
  const held = await addressesOf(context, user);
  return held.some((one) => one.email === email && one.since.getTime() < Date.now() - longAgo);
}

/**
 * When the last account that had confirmed an address gave it up; absent: none had.
 *
 * @param before - only until then; default: up to now
 */
export async function givenUpAt(context: Context, email: string, before?: Date): Promise<Date | undefined> {
  const ends = (await holdersOf(context, email))
    .flatMap(({ confirmed, until }) => (confirmed && until ? [until] : []))
    .filter((until) => before === undefined || until <= before);
  return ends.toSorted((one, other) => Number(other) - Number(one))[0];
}

/** The confirmed ones of an account's addresses, as the account feed describes them. */
export function holdingsOf(context: Context, held: readonly Held[]): Promise<Holding[]> {
  const proven = held.filter(({ confirmed }) => confirmed);
  return Promise.all(
    proven.map(async ({ email, since, until }) => {
      const from = await givenUpAt(context, email, since);
      return {
        email,
        ...(from && { since: from.toISOString() }),
        ...(until && { until: until.toISOString() }),
      };
    }),
  );
}

/** The accounts that have or had an address, with the times. */
async function holdersOf(context: Context, email: string): Promise<(Held & { readonly id: string })[]> {
  const moves = await context.db
    .collection<Move>('events')
    .find({ people: email, action: moved }, { projection: { 'record.id': 1 } })
    .toArray();
  const ids = [...new Set(moves.map(({ record }) => record.id))].map((id) => new ObjectId(id));
  const users = await usersOf(context)
    .find({ $or: [{ email }, { _id: { $in: ids } }] })
    .toArray();
  const held = await Promise.all(
    users.map(async (user) => {
      const id = user._id.toHexString();
      return (await addressesOf(context, user)).filter((one) => one.email === email).map((one) => ({ ...one, id }));
    }),
  );
  return held.flat();
}

async function othersOf(context: Context, email: string, id: string | undefined): Promise<HeldAddress['others']> {
  const others = (await holdersOf(context, email)).filter((one) => one.id !== id);
  return others.map(({ id: other, since, until, confirmed }) => ({
    id: other,
    since,
    confirmed,
    ...(until && { until }),
  }));
}

/** A user, by every address they have and had. */
export async function personOf(context: Context, user: UserRecord): Promise<AccountHolder> {
  const id = user._id.toHexString();
  const held = await addressesOf(context, user);
  const addresses = await Promise.all(
    held.map(async (one) => ({ ...one, others: await othersOf(context, one.email, id) })),
  );
  return { id, email: user.email, addresses };
}

/** The person of an account. Once the user is gone, only the account is left to go by, whoever has their address now. */
export async function personOfAccount(context: Context, id: ObjectId): Promise<AccountHolder> {
  const user = await usersOf(context).findOne({ _id: id });
  if (user) return personOf(context, user);
  return { id: id.toHexString(), email: erasedEmail(id.toHexString()), addresses: [] };
}

/** Who has an address now, lower case; without an account, it is nobody's since its last owner. */
export async function personAt(context: Context, email: string): Promise<Person> {
  const user = await usersOf(context).findOne({ email });
  if (user) return personOf(context, user);
  const others = await othersOf(context, email, undefined);
  const ends = others.map(({ until }) => until?.getTime() ?? 0);
  return { email, addresses: [{ email, since: new Date(Math.max(0, ...ends)), confirmed: true, others }] };
}

/** The account that had an address at a time. */
export async function holderAt(context: Context, email: string, at: Date): Promise<string | undefined> {
  const holders = await holdersOf(context, email);
  return holders.find(({ since, until }) => since <= at && (until === undefined || at < until))?.id;
}
