import { hasRole } from '@clinic/contracts';
import { erasedEmail, isErasedEmail } from '@clinic/contracts/erased-person';
import type { AnyBulkWriteOperation, Filter, ObjectId } from 'mongodb';
import { forgetContact } from '../auth/contacts.ts';
import type { ServiceContext } from '../context.ts';
import { appendEvent, type HistoryEvent } from '../history/events.ts';
import { forgetLooks } from '../history/keep-looks.ts';
import type { SessionCaller } from '../auth/session-claims.ts';
import { endUserLock } from '../database/user-lock.ts';
import { ProblemError } from '../http/problem-error.ts';
import type { ServiceRequest } from '../http/requests.ts';
import { forgetOutbox } from '../outbox/outbox.ts';
import type { ForgottenPerson } from './forgotten-person.ts';

type StoredEvent = HistoryEvent & { readonly _id: ObjectId };
type Fields = Readonly<Record<string, unknown>>;

/** Time budget of one call in milliseconds: a browser waits ten seconds. */
const workFor = 4_000;

/** History entries processed at a time. */
const batchSize = 100;

export interface ForgetPlan {
  /** Clears what the fields of an event reveal about the person, apart from the email, which is replaced everywhere. */
  readonly redact: (fields: Fields, event: StoredEvent) => Fields | Promise<Fields>;
  /** `performance.now()` after which no new batch starts. */
  readonly until: number;
}

/**
 * Erases a person from the history. What happened, when, to which record and by which user id never changes; the
 * person's identity is replaced with one pseudonym everywhere. The law requires this only change ever made to the
 * history, and the caller adds an entry about it.
 *
 * @returns how many events were changed, and whether that is all of them
 */
export async function forgetInHistory(
  { db }: Pick<ServiceContext, 'db'>,
  person: ForgottenPerson,
  { redact, until }: ForgetPlan,
): Promise<{ events: number; done: boolean }> {
  // Somebody whose address was taken away has no other left; the pseudonym would be replaced for ever.
  if (isErasedEmail(person.email)) return { events: 0, done: true };
  const events = db.collection<StoredEvent>('events');
  const takeOut = async (event: StoredEvent): Promise<AnyBulkWriteOperation<StoredEvent>> => ({
    updateOne: { filter: { _id: event._id }, update: { $set: await withoutPerson(event, person, redact) } },
  });
  let changed = 0;
  // Processed events no longer match: the pseudonym has replaced the person in `people`.
  for (;;) {
    const found = await events.find(eventsOf(person)).limit(batchSize).toArray();
    if (found.length === 0) return { events: changed, done: true };
    if (performance.now() > until) return { events: changed, done: false };
    await events.bulkWrite(await Promise.all(found.map(takeOut)));
    changed += found.length;
  }
}

function eventsOf({ email, userId, emailConfirmed }: ForgottenPerson): Filter<StoredEvent> {
  return { people: email, ...(!emailConfirmed && { $or: [{ 'actor.id': userId }, { accounts: userId }] }) };
}

async function withoutPerson(
  event: StoredEvent,
  person: ForgottenPerson,
  redact: ForgetPlan['redact'],
): Promise<Partial<StoredEvent>> {
  const { email, userId } = person;
  const other = (value: string): string => (value.toLowerCase() === email ? erasedEmail(userId) : value);
  const { actor, subject, concerns, people, record } = event;
  const fields = async (value: unknown): Promise<unknown> =>
    isFields(value) ? replaceText(await redact(value, event), other) : value;
  return {
    ...(actor && { actor: { ...actor, email: other(actor.email) } }),
    ...(subject !== undefined && { subject: other(subject) }),
    ...(concerns && { concerns: concerns.map(other) }),
    ...(people && { people: people.map(other) }),
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

/** Deletes the responses stored for the person's repeated requests. */
async function forgetAnswers({ db }: Pick<ServiceContext, 'db'>, userId: string): Promise<void> {
  // Keys start with the caller's id; ';' comes right after ':'.
  await db.collection<{ _id: string }>('idempotency').deleteMany({ _id: { $gte: `${userId}:`, $lt: `${userId};` } });
}

/** Result of an erasure call. */
export interface Erased {
  /** Whether nothing of the person is left; if not, repeat the call. */
  readonly done: boolean;
  /** Records that were erased or anonymised. */
  readonly records: number;
  /** How many of them were cancelled. */
  readonly cancelled: number;
  /** History entries that were anonymised. */
  readonly events: number;
}

/** The request of any call with the schema `erasure`. */
type ErasureRequest = Pick<ServiceRequest, 'call' | 'caller' | 'requestId'> & {
  readonly body: ForgottenPerson;
  readonly caller: SessionCaller;
};

/**
 * Handler of a call that erases a person from a service, a few seconds' work at a time: the person's requests in flight
 * are retried and rejected, `erase` does the work, and the history gets an entry about it.
 *
 * @param erase - may be interrupted and repeated at any point; gets the `performance.now()` after which to start
 *   nothing new
 */
export function erasureHandler<Request extends ErasureRequest>(
  context: Pick<ServiceContext, 'db' | 'inTransaction'>,
  erase: (request: Request, until: number) => Promise<Erased>,
) {
  return async (request: Request): Promise<Erased> => {
    const {
      body: { email, userId, emailConfirmed },
      call,
      caller,
      requestId,
    } = request;
    const own = userId.toLowerCase() === caller.id;
    if (!own && !hasRole(caller, ['admin'])) throw new ProblemError('forbidden');
    // Records that depend on a staff role must be handed over first; svc-identity rejects the last step for the same
    // reason.
    if (own && caller.role !== 'patient')
      throw new ProblemError('staff_account', {
        detail: 'Ask an admin to remove your staff role. Then you can delete your account.',
      });
    const until = performance.now() + workFor;
    await endUserLock(context, userId);
    const erased = await erase(request, until);
    const { done, ...after } = erased;
    if (done)
      await Promise.all([
        forgetAnswers(context, userId),
        forgetContact(context, { email, userId }),
        forgetLooks(context, { email, userId, emailConfirmed }),
        forgetOutbox(context, { email, userId, emailConfirmed }),
      ]);
    if (after.records + after.events > 0) {
      const record = { type: 'person', id: userId };
      await context.inTransaction((session) =>
        appendEvent(context, session, {
          call,
          caller,
          requestId,
          record,
          subject: erasedEmail(userId),
          action: 'personal data erased',
          before: null,
          after,
        }),
      );
    }
    return erased;
  };
}
