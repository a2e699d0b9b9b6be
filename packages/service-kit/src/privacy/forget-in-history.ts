import { erasedEmail } from '@clinic/contracts/erased-person';
import type { AnyBulkWriteOperation, Filter, ObjectId } from 'mongodb';
import type { ServiceContext } from '../context.ts';
import type { HistoryEvent } from '../history/events.ts';
import { eventsAbout } from './export-person.ts';
import { countErased, erasuresOf, type ReachedEvent } from './erased-counts.ts';
import { namesPerson, type AccountHolder } from './person.ts';

type StoredEvent = HistoryEvent & { readonly _id: ObjectId };
type Fields = Readonly<Record<string, unknown>>;

/** History entries written at a time. */
const batchSize = 100;

/** Milliseconds after which no transaction can add an event of that time: MongoDB's `transactionLifetimeLimitSeconds`. */
const longestTransaction = 60_000;

export interface ForgetPlan {
  /**
   * Clears what the fields of an event reveal about the person, apart from their addresses, which are replaced
   * everywhere.
   *
   * @param isTheirs - whether a text is an address of the person
   */
  readonly redact: (
    fields: Fields,
    event: StoredEvent,
    isTheirs: (text: string) => boolean,
  ) => Fields | Promise<Fields>;
  /** `performance.now()` after which no further batch starts; the next call goes on there. */
  readonly until: number;
  /** For svc-identity, which reports no counts of its own: nothing is counted. */
  readonly uncounted?: true;
}

/**
 * Erases a person from the history. What happened, when, to which record and by which user id never changes; the
 * person's identity is replaced with one pseudonym, in every event of their account, whichever address it names. The law
 * requires this only change ever made to the history, and the caller adds an entry about it. Safe to repeat.
 *
 * @returns whether that is all of them; those that it changed are counted by {@link countErased}
 */
export async function forgetInHistory(
  { db, inTransaction }: Pick<ServiceContext, 'db' | 'inTransaction'>,
  person: AccountHolder,
  { redact, until, uncounted }: ForgetPlan,
): Promise<{ readonly done: boolean }> {
  const events = db.collection<StoredEvent>('events');
  const { reached } = (await erasuresOf(db).findOne({ _id: person.id })) ?? {};
  for (const [filter, about] of eventsAbout(person).entries()) {
    if (reached && filter < reached.filter) continue;
    const after = reached?.filter === filter ? reached : undefined;
    let batch: AnyBulkWriteOperation<StoredEvent>[] = [];
    const write = (writes: typeof batch, { at, _id: event }: StoredEvent): Promise<void> =>
      inTransaction(async (session) => {
        const { modifiedCount } = await events.bulkWrite(writes, { ordered: false, session });
        if (uncounted) return;
        const isSettled = at.getTime() < Date.now() - longestTransaction;
        await countErased(
          { db },
          session,
          person,
          { events: modifiedCount },
          isSettled ? { filter, at, event } : undefined,
        );
      });
    let last: StoredEvent | undefined;
    for await (const event of events
      .find(after ? laterThan(about, after) : about, { batchSize })
      .sort({ at: 1, _id: 1 })) {
      const update = { $set: await withoutPerson(event, person, redact), $addToSet: { accounts: person.id } };
      last = event;
      if (batch.push({ updateOne: { filter: { _id: event._id }, update } }) < batchSize) continue;
      await write(batch, event);
      batch = [];
      if (performance.now() > until) return { done: false };
    }
    if (last && batch.length > 0) await write(batch, last);
  }
  return { done: true };
}

const laterThan = (about: Filter<HistoryEvent>, { at, event }: ReachedEvent): Filter<StoredEvent> => ({
  $and: [about, { at: { $gte: at } }, { $or: [{ at: { $gt: at } }, { at, _id: { $gt: event } }] }],
});

async function withoutPerson(
  event: StoredEvent,
  person: AccountHolder,
  redact: ForgetPlan['redact'],
): Promise<Partial<StoredEvent>> {
  const isTheirs = namesPerson(person, event);
  const pseudonym = erasedEmail(person.id);
  const other = (value: string): string => (isTheirs(value) ? pseudonym : value);
  const { actor, subject, concerns, people, record } = event;
  const actorEmail = actor?.id === person.id ? pseudonym : actor?.email;
  const fields = async (value: unknown): Promise<unknown> =>
    isFields(value) ? replaceText(await redact(value, event, isTheirs), other) : value;
  return {
    ...(actor && { actor: { ...actor, email: actorEmail ?? actor.email } }),
    ...(subject !== undefined && { subject: other(subject) }),
    ...(concerns && { concerns: concerns.map(other) }),
    ...(people && {
      people: [...new Set(people.map((email) => (email === actor?.email ? (actorEmail ?? email) : other(email))))],
    }),
    record: { type: record.type, id: other(record.id) },
    before: await fields(event.before),
    after: await fields(event.after),
  };
}

function isFields(value: unknown): value is Fields {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)
  );
}

/** A copy of the value with all texts replaced, at any depth. */
function replaceText(value: unknown, other: (text: string) => string): unknown {
  if (typeof value === 'string') return other(value);
  if (Array.isArray(value)) return value.map((element) => replaceText(element, other));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaceText(inner, other)]));
}
