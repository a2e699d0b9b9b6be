import type { UpdateFilter } from 'mongodb';
import type { Role } from '@clinic/contracts';
import type { UserRecord } from './user-record.ts';

type Change = Pick<UpdateFilter<UserRecord>, '$set' | '$unset'>;

/**
 * A change after which a user's older tokens end: it raises the version they carry, with the time by which services and open
 * pages are told of it.
 */
export function withNewVersion({ $set, ...others }: Change, now = new Date()): UpdateFilter<UserRecord> {
  return { ...others, $set: { ...$set, versionChangedAt: now }, $inc: { version: 1 } };
}

/** A change to another role: whoever decides about it decides anew about the rights beside it; none unless `set` has them. */
export function withNewRole(
  role: Role,
  set: Omit<NonNullable<Change['$set']>, 'role'> = {},
  now = new Date(),
): UpdateFilter<UserRecord> {
  return withNewVersion({ $set: { ...set, role }, ...(!set.rights && { $unset: { rights: 1 } }) }, now);
}
