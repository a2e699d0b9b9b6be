import { hasRole } from '@clinic/contracts';
import { erasedEmail } from '@clinic/contracts/erased-person';
import type { AnyBulkWriteOperation, Filter, ObjectId } from 'mongodb';
import { forgetContact } from './contacts.ts';
import type { ServiceContext } from './context.ts';
import { appendEvent, type HistoryEvent } from './events.ts';
import { forgetLooks } from './looks/keep-looks.ts';
import { endPersonTurns } from './person-turn.ts';
import { ProblemError } from './problem-error.ts';
import type { ServiceRequest } from './requests.ts';

/** Somebody whom a service is to forget. */
export interface ForgottenPerson {
  /** Lower case. */
  readonly email: string;
  /** The account. Stays, as a pseudonym that leads to nobody. */
  readonly userId: string;
  /** If not, only what belongs to the account is the person's: the rest under the address may be somebody else's. */
  readonly emailConfirmed: boolean;
}

type StoredEvent = HistoryEvent & { readonly _id: ObjectId };
type Fields = Readonly<Record<string, unknown>>;

/** Milliseconds of work within one call: a browser waits ten seconds. */
const workFor = 4_000;

/** Lines of the history that are worked on at a time. */
const batchSize = 100;

export interface ForgetPlan {
  /** Empties what fields of an event tell of the person, beside the e-mail, which is replaced everywhere. */
  readonly redact: (fields: Fields, event: StoredEvent) => Fields;
  /** `performance.now()` after which no further batch begins. */
  readonly until: number;
}

/**
 * Takes a person out of the history. What happened, when, to which record and by which user id is never changed; who that
 * was is replaced by the same pseudonym everywhere. It is the one change that the history knows, asked for by law, and the
 * caller writes into the history that it took place.
 *
 * @returns how many events lost the person, and whether all have
 */
export async function forgetInHistory({ db }: Pick<ServiceContext, 'db'>, person: ForgottenPerson, { redact, until }: ForgetPlan): Promise<{ events: number; done: boolean }> {
  const events = db.collection<StoredEvent>('events');
  const takeOut = (event: StoredEvent): AnyBulkWriteOperation<StoredEvent> => ({ updateOne: { filter: { _id: event._id }, update: { $set: withoutPerson(event, person, redact) } } });
  let changed = 0;
  // What is done is not found again: the person's place among the people has been taken by the pseudonym.
  for (;;) {
    const found = await events.find(eventsOf(person)).limit(batchSize).toArray();
    if (found.length === 0) return { events: changed, done: true };
    if (performance.now() > until) return { events: changed, done: false };
    await events.bulkWrite(found.map(takeOut));
    changed += found.length;
  }
}

function eventsOf({ email, userId, emailConfirmed }: ForgottenPerson): Filter<StoredEvent> {
  return { people: email, ...(!emailConfirmed && { $or: [{ 'actor.id': userId }, { accounts: userId }] }) };
}

function withoutPerson(event: StoredEvent, person: ForgottenPerson, redact: ForgetPlan['redact']): Partial<StoredEvent> {
  const { email, userId } = person;
  const other = (value: string): string => (value.toLowerCase() === email ? erasedEmail(userId) : value);
  const { actor, subject, concerns, people, record } = event;
  const fields = (value: unknown): unknown => (isFields(value) ? replaceText(redact(value, event), other) : value);
  return {
    ...(actor && { actor: { ...actor, email: other(actor.email) } }),
    ...(subject !== undefined && { subject: other(subject) }),
    ...(concerns && { concerns: concerns.map(other) }),
    ...(people && { people: people.map(other) }),
    record: { type: record.type, id: other(record.id) },
    before: fields(event.before),
    after: fields(event.after),
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null);
}

/** The same value with other texts, however deep. */
function replaceText(value: unknown, other: (text: string) => string): unknown {
  if (typeof value === 'string') return other(value);
  if (Array.isArray(value)) return value.map((element) => replaceText(element, other));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaceText(inner, other)]));
}

/** Empties the fields of these names, where there are any. */
export function emptied(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, names.includes(name) ? (typeof value === 'number' ? 0 : '') : value]));
}

/** Forgets the answers that are kept for the person's repeated requests. */
async function forgetAnswers({ db }: Pick<ServiceContext, 'db'>, userId: string): Promise<void> {
  // Keys begin with the caller's id; ';' comes right after ':'.
  await db.collection<{ _id: string }>('idempotency').deleteMany({ _id: { $gte: `${userId}:`, $lt: `${userId};` } });
}

/** What a call that makes a service forget somebody has done. */
export interface Erased {
  /** Nothing of the person is left; else the call is to be repeated. */
  readonly done: boolean;
  /** Records that lost the person's data. */
  readonly records: number;
  /** Of these, what was cancelled. */
  readonly cancelled: number;
  /** Lines of the history that lost it. */
  readonly events: number;
}

type ErasureRequest = ServiceRequest<'eraseClinicData' | 'erasePharmacyData'>;

/**
 * Handler of a call that makes a service forget somebody, a few seconds' work at a time: everything of theirs that is under
 * way is repeated and then refused, `erase` does the work, and the history says that it took place.
 *
 * @param erase - may be interrupted and repeated at any point; given `performance.now()` after which it begins nothing more
 */
export function erasureHandler(context: Pick<ServiceContext, 'db' | 'inTransaction'>, erase: (request: ErasureRequest, until: number) => Promise<Erased>) {
  return async (request: ErasureRequest): Promise<Erased> => {
    const { body: { email, userId, emailConfirmed }, call, caller, requestId } = request;
    const own = userId.toLowerCase() === caller.id;
    if (!own && !hasRole(caller, ['admin'])) throw new ProblemError('forbidden');
    // What hangs on a staff role must be handed over first; svc-identity refuses the last step for the same reason.
    if (own && caller.role !== 'patient') throw new ProblemError('staff_account', { detail: 'Ask an admin to take your staff role away. Then you can delete your account.' });
    const until = performance.now() + workFor;
    await endPersonTurns(context, userId);
    const erased = await erase(request, until);
    const { done, ...after } = erased;
    if (done) await Promise.all([forgetAnswers(context, userId), forgetContact(context, { email, userId }), forgetLooks(context, { email, userId, emailConfirmed })]);
    if (after.records + after.events > 0) {
      const record = { type: 'person', id: userId };
      await context.inTransaction((session) =>
        appendEvent(context, session, { call, caller, requestId, record, subject: erasedEmail(userId), action: 'personal data erased', before: null, after }),
      );
    }
    return erased;
  };
}
