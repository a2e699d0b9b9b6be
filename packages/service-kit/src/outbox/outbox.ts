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

/** The oldest entries, as svc-messages takes them. @param most - maximum number */
export async function oldestEntries(context: Pick<ServiceContext, 'db'>, most: number): Promise<TakenEntry[]> {
  const found = await outboxOf(context).find().sort({ _id: 1 }).limit(most).toArray();
  return found.map(({ _id, at, kind, to, data }) => ({
    id: _id.toHexString(),
    at: at.toISOString(),
    kind,
    to,
    data,
  }));
}

/** Removes what svc-messages has stored; ids that are already removed are ignored. */
export async function removeTaken(context: Pick<ServiceContext, 'db'>, ids: readonly string[]): Promise<void> {
  await outboxOf(context).deleteMany({ _id: { $in: ids.map((id) => new ObjectId(id)) } });
}

/** Deletes a person's messages that haven't been taken yet. */
export async function forgetOutbox(context: Pick<ServiceContext, 'db'>, person: AccountHolder): Promise<void> {
  const theirs: Filter<OutboxRecord>[] = [
    { 'to.account': person.id },
    ...provenAddresses(person).map((address) => ({
      'to.email': address.email,
      'to.account': { $exists: false },
      ...dateWithin('at', address),
    })),
  ];
  for (const filter of theirs) await outboxOf(context).deleteMany(filter);
}
