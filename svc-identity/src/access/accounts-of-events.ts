import type { EarlierEvent, ServiceContext } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import { holderAt } from '../users/held-addresses.ts';
import { usersOf } from '../users/user-record.ts';

/** The accounts that events of earlier releases are about: the user's, or the owner's of the address at that time. */
export async function accountsOfEvents(
  context: Pick<ServiceContext, 'db'>,
  events: readonly EarlierEvent[],
): Promise<ReadonlyMap<string, readonly (string | undefined)[]>> {
  const ids = events.map(({ record }) => record.id).filter((id) => /^[0-9a-f]{24}$/.test(id));
  const users = await usersOf(context)
    .find({ _id: { $in: ids.map((id) => new ObjectId(id)) } }, { projection: { _id: 1 } })
    .toArray();
  const known = new Set(users.map(({ _id }) => _id.toHexString()));
  const found = new Map<string, readonly (string | undefined)[]>();
  for (const { _id, at, record, subject } of events) {
    const account = known.has(record.id)
      ? record.id
      : subject === undefined
        ? undefined
        : await holderAt(context, subject, at);
    found.set(_id.toHexString(), [account]);
  }
  return found;
}
