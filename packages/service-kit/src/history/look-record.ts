import type { Look } from '@clinic/contracts';
import type { Collection, Db, Filter } from 'mongodb';
import { dateWithin, type AddressTime } from '../privacy/person.ts';
import type { RecordedActor } from './actors.ts';

/** A member of staff viewed a person's records: one document per person, caller and hour. */
export interface LookRecord {
  /** Hash of caller, person and hour, so that repeated and concurrent writes hit one document. */
  readonly _id: string;
  /** First view of that hour. */
  readonly at: Date;
  readonly by: RecordedActor;
  /** The person's account, or their email address while no account has confirmed it here. */
  readonly whose: string;
  /** The person's email address, lower case. */
  readonly email: string;
  /** What was viewed, e.g. `appointments`. */
  readonly what: string;
  readonly how: Look['how'];
}

/**
 * The views of an account's records. Those under an address are from before an account was known here; they are the
 * account's from when it had the address until it gave it up.
 *
 * @param account - absent for an address that no account has
 */
export function lookFilter(
  account: string | undefined,
  addresses: readonly Pick<AddressTime, 'email' | 'from' | 'until'>[],
): Filter<LookRecord> {
  return {
    $or: [
      ...(account === undefined ? [] : [{ whose: account }]),
      ...addresses.map((address) => ({ whose: address.email, ...dateWithin('at', address) })),
    ],
  };
}

export function looksOf({ db }: { readonly db: Db }): Collection<LookRecord> {
  return db.collection('looks');
}
