import { ObjectId } from 'mongodb';
import { z } from 'zod';
import { askIdentity, type IdentityAccess } from '../auth/ask-identity.ts';
import { unavailable } from '../http/error-mapping.ts';
import { ProblemError } from '../http/problem-error.ts';

/** Where svc-identity tells other services who somebody is, by account or by address; the gateway never routes it. */
export const personPath = '/internal/person';

const instant = z.iso.datetime().transform((text) => new Date(text));

/** A time during which an account had an address. */
const holding = z.object({
  since: instant,
  /** Exclusive; absent: it has the address now. */
  until: instant.optional(),
});

const heldAddress = holding.extend({
  /** Lower case. */
  email: z.string(),
  confirmed: z.boolean(),
  /** Other accounts that had the address before, or have had it since. */
  others: z.array(holding.extend({ id: z.string(), confirmed: z.boolean().optional() })),
});

/** An address of a person, and when it was theirs. */
export type HeldAddress = z.output<typeof heldAddress>;

export const person = z.object({
  /** The account; absent for an address that no account has now. */
  id: z.string().optional(),
  /** The current address, lower case. */
  email: z.string(),
  /** Every address they ever had, the current one included. Without an account: the address, since nobody had it. */
  addresses: z.array(heldAddress),
});

/**
 * Everything that tells a person's records from those of others. Records belong to the account; an address counts only
 * for records without one, and only from the time when it was this person's.
 */
export type Person = z.output<typeof person>;

/** A person with an account. */
export type AccountHolder = Person & { readonly id: string };

/** Milliseconds within which a replica must respond. */
const answerWithin = 2_000;

/**
 * Asks svc-identity who somebody is: by `id` if both are given.
 *
 * @throws ProblemError unavailable if no replica responds
 */
export async function readPerson(
  identity: IdentityAccess,
  { id, email }: { readonly id?: string | undefined; readonly email: string },
): Promise<Person> {
  const query = { email, ...(id !== undefined && { id }) };
  try {
    return await askIdentity(identity, { path: personPath, query, answer: person, answerWithin });
  } catch (error) {
    throw unavailable('We can’t check whose data this is right now. Try again in a moment.', error);
  }
}

/**
 * Rejects what is meant for whom the caller saw at an address: an address that one person gives up may soon be another's.
 *
 * @param account - whose it is now
 * @param seen - whose it was on screen; absent: an earlier front-end doesn't say
 * @throws ProblemError changed_meanwhile if that is somebody else
 */
export function assertSeenAccount(email: string, account: string | undefined, seen: string | undefined): void {
  if (seen === undefined || seen.toLowerCase() === account) return;
  throw new ProblemError('changed_meanwhile', {
    detail: `${email} belongs to somebody else now. We haven’t changed anything. Reload the page and find the person by name.`,
  });
}

/** What is needed of an event to tell whom its texts name. */
interface NamingEvent {
  readonly at: Date;
  readonly actor?: { readonly id: string };
  readonly accounts?: readonly string[];
}

/**
 * Whether a text in an event is an address of this person. An address that had another owner at that time is theirs, if
 * the event is about that owner, too.
 */
export function namesPerson({ addresses }: Person, { at, actor, accounts = [] }: NamingEvent) {
  const own = new Map(addresses.map(({ email, others }) => [email, others]));
  return (text: string): boolean => {
    const others = own.get(text.toLowerCase());
    if (!others) return false;
    const owner = others.find(({ since, until }) => since <= at && (until === undefined || at < until));
    return owner === undefined || !(actor?.id === owner.id || accounts.includes(owner.id));
  };
}

/** An address and the time in which records without an account under it are a person's. */
export interface AddressTime {
  readonly email: string;
  /** When the previous owner gave it up; absent: nobody else had it before. */
  readonly from?: Date;
  /** When the person gave it up, exclusive. */
  readonly until?: Date;
  /** Other accounts that had it before or have had it since: what is theirs may still name it. */
  readonly others: readonly string[];
}

/** The addresses under which records without an account are this person's: the confirmed ones. */
export const provenAddresses = (of: Person): AddressTime[] =>
  of.addresses.filter(({ confirmed }) => confirmed).map(timeOf);

/** An address, with the time in which it was nobody else's. */
export function timeOf({ email, since, until, confirmed, others }: HeldAddress): AddressTime {
  // Nobody's records are those of somebody who merely typed the address.
  const owners = others.filter((other) => other.confirmed !== false);
  const before = owners.map((other) => other.until).filter((end) => end !== undefined && end <= since);
  const from = confirmed ? before.toSorted((a, b) => Number(b) - Number(a))[0] : since;
  return { email, ...(from && { from }), ...(until && { until }), others: others.map(({ id }) => id) };
}

/** Filter for a field with the date of a record. */
export function dateWithin<Field extends string>(
  field: Field,
  { from, until }: Pick<AddressTime, 'from' | 'until'>,
): { readonly [Name in Field]?: { readonly $gte?: Date; readonly $lt?: Date } } {
  if (!from && !until) return {};
  return { [field]: { ...(from && { $gte: from }), ...(until && { $lt: until }) } } as ReturnType<
    typeof dateWithin<Field>
  >;
}

/**
 * {@link dateWithin} for records whose ids contain the second in which they were made. One of the second in which the
 * address changed hands may be its next owner's, and counts as nobody's: the person's own ones have their account.
 */
export function madeWithin({ from, until }: AddressTime): { readonly _id?: { $gte?: ObjectId; $lt?: ObjectId } } {
  if (!from && !until) return {};
  return {
    _id: {
      ...(from && { $gte: ObjectId.createFromTime(Math.ceil(from.getTime() / 1_000)) }),
      ...(until && { $lt: ObjectId.createFromTime(Math.floor(until.getTime() / 1_000)) }),
    },
  };
}

/** Whether a record without an account under an address is this person's: {@link madeWithin} for one that has been read. */
export const isProven = (of: Person, email: string, id: ObjectId): boolean =>
  provenAddresses(of).some((address) => {
    const { $gte, $lt } = madeWithin(address)._id ?? {};
    const made = id.getTimestamp();
    return (
      address.email === email &&
      ($gte === undefined || made >= $gte.getTimestamp()) &&
      ($lt === undefined || made < $lt.getTimestamp())
    );
  });

/** The current address, if the person has confirmed it, or if it is nobody's account's. */
export const provenEmail = ({ addresses }: Person): string | undefined =>
  addresses.find(({ until, confirmed }) => until === undefined && confirmed)?.email;
