import type { Look, Role } from '@clinic/contracts';
import type { Collection, Db } from 'mongodb';

/** That a member of staff read a person's records: one a person, caller and hour. */
export interface LookRecord {
  /** Hash of caller, person and hour, so that repeated and concurrent writes are one document. */
  readonly _id: string;
  /** When the first look of that hour was. */
  readonly at: Date;
  readonly by: { readonly id: string; readonly role: Role; readonly email: string };
  /** The person's account; their e-mail address while no account has confirmed it here. */
  readonly whose: string;
  /** The person's e-mail address, lower case. */
  readonly email: string;
  /** What was read, e.g. `appointments`. */
  readonly what: string;
  readonly how: Look['how'];
}

export function looksOf({ db }: { readonly db: Db }): Collection<LookRecord> {
  return db.collection('looks');
}
