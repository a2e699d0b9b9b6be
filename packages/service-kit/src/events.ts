import type { ClientSession } from 'mongodb';
import type { CallId, Caller, HistoryEntry, Role } from '@clinic/contracts';
import type { ServiceContext } from './context.ts';
import type { SessionCaller } from './session-claims.ts';

/** One change as the history keeps it. Never changed or deleted, but for what docs/privacy.md says. */
export interface HistoryEvent {
  readonly at: Date;
  /** The call that made it; `expiry`: its time was over; `staff`: it follows from who is staff now. */
  readonly call: CallId | 'seed' | 'expiry' | 'staff';
  /** Who did it; absent when the system itself did. */
  readonly actor?: { readonly id: string; readonly email: string; readonly role: Role };
  readonly requestId: string;
  readonly record: { readonly type: string; readonly id: string };
  /** Whom it concerns, by e-mail, where a list over all records tells that. */
  readonly subject?: string;
  /** E-mails of the people whose lists show the record, in lower case; for change streams. */
  readonly concerns?: readonly string[];
  /** Accounts whose lists show the record; for change streams and the copy of a person's data. */
  readonly accounts?: readonly string[];
  /** Everybody it is found by: who did it, its subject, whom it concerns; e-mails in lower case. */
  readonly people?: readonly string[];
  /** What happened, e.g. `status changed`. */
  readonly action: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What a domain function knows of a change. */
export interface Change {
  /** A call, its id, 'seed', 'expiry': what happens by itself once its time is over, or 'staff': what follows from who is staff now. */
  readonly call: { readonly id: CallId } | CallId | 'seed' | 'expiry' | 'staff';
  readonly caller: Pick<SessionCaller, 'id' | 'email' | 'role'> | undefined;
  readonly requestId: string;
  readonly record: { readonly type: string; readonly id: string };
  readonly subject?: string | undefined;
  readonly concerns?: readonly string[] | undefined;
  /** Accounts whose lists show the record. */
  readonly accounts?: readonly (string | undefined)[] | undefined;
  readonly action: string;
  /** The changed fields as they were; `null` when the record is new. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Appends a change to the history, in the transaction that makes it. */
export async function appendEvent(context: Pick<ServiceContext, 'db'>, session: ClientSession, change: Change): Promise<void> {
  await context.db.collection<HistoryEvent>('events').insertOne(toEvent(change), { session });
}

/** {@link appendEvent} for many changes of one transaction at once. */
export async function appendEvents(context: Pick<ServiceContext, 'db'>, session: ClientSession, changes: readonly Change[]): Promise<void> {
  if (changes.length > 0) await context.db.collection<HistoryEvent>('events').insertMany(changes.map(toEvent), { session });
}

function toEvent({ call, caller, requestId, record, subject, concerns, accounts, action, before, after }: Change): HistoryEvent {
  const people = [...new Set([caller?.email, subject, ...(concerns ?? [])].filter((email) => email !== undefined))];
  return {
    at: new Date(),
    call: typeof call === 'string' ? call : call.id,
    ...(caller && { actor: { id: caller.id, email: caller.email, role: caller.role } }),
    requestId, record, ...(subject !== undefined && { subject }), ...(concerns && { concerns }), ...(accounts && { accounts: accounts.filter((id) => id !== undefined) }), people, action, before, after,
  };
}

/** Most changes that are told of one record; older ones stay in the database. */
const mostEntries = 200;

type Fields = Record<string, unknown>;

export interface HistoryQuestion {
  readonly record: HistoryEvent['record'];
  readonly reader: Caller;
  /** Roles that learn who acted; others learn only that someone of a role did, unless it was themselves. */
  readonly namesTold: readonly Role[];
  /** The changed fields under the names they have on the wire; left out where they are the same. */
  readonly map?: (fields: Fields) => Fields;
}

/** What happened to a record, the latest first (design section 6). The caller has checked that the reader may see the record. */
export async function readHistory({ db }: Pick<ServiceContext, 'db'>, { record, reader, namesTold, map = (fields) => fields }: HistoryQuestion): Promise<HistoryEntry[]> {
  const found = db.collection<HistoryEvent>('events').find({ 'record.type': record.type, 'record.id': record.id });
  const events = await found.sort({ at: -1, _id: -1 }).limit(mostEntries).toArray();
  return events.map(({ at, action, actor, before, after }) => ({
    at: at.toISOString(),
    action,
    ...(actor && { actor: { role: actor.role, ...((namesTold.includes(reader.role) || actor.id === reader.id) && { email: actor.email }) } }),
    before: before === null ? null : map(before as Fields),
    after: map(after as Fields),
  }));
}
