import {
  outboxData,
  type NewOutboxEntry,
  type OutboxRecipient,
  type TakenEntry,
} from '@clinic/contracts/outbox/entries';
import { ObjectId, type ClientSession, type Collection, type Db, type Filter, type IndexDescription } from 'mongodb';
import type { ServiceContext } from '../context.ts';
import { dateWithin, provenAddresses, type AccountHolder } from '../privacy/person.ts';

/** A message that svc-messages hasn't taken yet. */
export interface OutboxRecord {
  readonly _id: ObjectId;
  readonly at: Date;
  readonly kind: string;
  readonly to: OutboxRecipient;
  readonly data: unknown;
  /** Empty, since the person it was for has been deleted; svc-messages may be storing it at this moment. */
  readonly forgotten?: true;
}

/** Seconds after which entries are purged, for clinics without svc-messages. */
const keptSeconds = 30 * 86_400;

/** Indexes of a source's outbox. */
export const outboxIndexes: Readonly<Record<string, readonly IndexDescription[]>> = {
  outbox: [
    { key: { at: 1 }, name: 'age', expireAfterSeconds: keptSeconds },
    { key: { 'to.account': 1 }, name: 'by_account' },
    { key: { 'to.email': 1 }, name: 'by_email' },
  ],
};

/** The messages of a source that svc-messages hasn't taken yet. */
export const outboxOf = ({ db }: { readonly db: Db }): Collection<OutboxRecord> => db.collection('outbox');

/**
 * Adds messages to the outbox, at least one, in the transaction of the change they are about: if it commits,
 * svc-messages will send them. The service must declare itself a source (`outbox: true`).
 *
 * @throws ZodError if the data doesn't fit the kind, which is a mistake in the program
 */
export async function appendOutbox(
  context: Pick<ServiceContext, 'db'>,
  session: ClientSession,
  ...messages: readonly NewOutboxEntry[]
): Promise<void> {
  const at = new Date();
  const entries = messages.map(({ kind, to, data }) => ({
    _id: new ObjectId(),
    at,
    kind,
    to,
    data: outboxData[kind].parse(data),
  }));
  await outboxOf(context).insertMany(entries, { session });
}

/** The oldest entries, as svc-messages takes them. @param most - maximum number @param all - forgotten ones, too */
export async function oldestEntries(
  context: Pick<ServiceContext, 'db'>,
  most: number,
  all: boolean,
): Promise<TakenEntry[]> {
  const wanted: Filter<OutboxRecord> = all ? {} : { forgotten: { $exists: false } };
  const found = await outboxOf(context).find(wanted).sort({ _id: 1 }).limit(most).toArray();
  return found.map(({ _id, at, ...entry }) => ({ id: _id.toHexString(), at: at.toISOString(), ...entry }));
}

/** Removes what svc-messages has stored, and the forgotten ones of which it has dropped everything, unless they are already. */
export async function removeTaken(
  context: Pick<ServiceContext, 'db'>,
  { ids, forgotten }: { readonly ids: readonly string[]; readonly forgotten: readonly string[] },
): Promise<void> {
  const named = (some: readonly string[]) => ({ _id: { $in: some.map((id) => new ObjectId(id)) } });
  await outboxOf(context).deleteMany({ ...named(ids), forgotten: { $exists: false } });
  await outboxOf(context).deleteMany({ ...named(forgotten), forgotten: true });
}

/** Empties a person's messages that haven't been taken yet; svc-messages deletes what it has read of them meanwhile. */
export async function forgetOutbox(context: Pick<ServiceContext, 'db'>, person: AccountHolder): Promise<void> {
  const theirs: Filter<OutboxRecord>[] = [
    { 'to.account': person.id },
    ...provenAddresses(person).map((address) => ({
      'to.email': address.email,
      'to.account': { $exists: false },
      ...dateWithin('at', address),
    })),
  ];
  const empty = { $set: { forgotten: true, to: {}, data: {} } } as const;
  for (const filter of theirs) await outboxOf(context).updateMany(filter, empty);
}
