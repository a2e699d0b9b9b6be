import type { ClientSession } from 'mongodb';
import type { CallId, Caller, HistoryEntry, Role } from '@clinic/contracts';
import { mostHistoryEntries } from '@clinic/contracts/limits';
import type { ServiceContext } from '../context.ts';
import type { SessionCaller } from '../auth/session-claims.ts';
import { countChanges } from '../database/daily-limits.ts';
import { actorOf, partOf, type RecordedActor } from './actors.ts';

/** An entry of the history. Never changed or deleted, except as docs/privacy.md describes. */
export interface HistoryEvent {
  readonly at: Date;
  /**
   * The call that made the change. Otherwise `expiry`: something expired; `staff`: it follows from a change of staff;
   * `waitlist`: a free time went to a waiting patient; `erasure`: a person was deleted; `message link`: a link in a message, without signing in;
   * `release files`: a decision about releases by the command line or by visitors' pages.
   */
  readonly call: CallId | 'seed' | 'expiry' | 'staff' | 'waitlist' | 'erasure' | 'message link' | 'release files';
  /** Who did it; absent if the system itself did. */
  readonly actor?: RecordedActor;
  readonly requestId: string;
  readonly record: { readonly type: string; readonly id: string };
  /** Email of the person it concerns, if the history of all records shows it. */
  readonly subject?: string;
  /** Emails of the people whose lists show the record, lower case; for change streams. */
  readonly concerns?: readonly string[];
  /**
   * The accounts it is about: the actor's, the subject's, and those whose lists show the record. Change streams, data
   * exports and deletions go by them, never by an address.
   */
  readonly accounts?: readonly string[];
  /** The people by whom the entry can be found: the actor, its subject, those it concerns; emails in lower case. */
  readonly people?: readonly string[];
  /** What happened, e.g. `status changed`. */
  readonly action: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What a domain function reports about a change. */
export interface HistoryChange {
  /** A call, or what happened without one; see {@link HistoryEvent}. */
  readonly call: { readonly id: CallId } | HistoryEvent['call'];
  /** When it happened; by default now. */
  readonly at?: Date;
  readonly caller: Pick<SessionCaller, 'id' | 'email' | 'role' | 'rights'> | undefined;
  readonly requestId: string;
  readonly record: { readonly type: string; readonly id: string };
  readonly subject?: string | undefined;
  readonly concerns?: readonly string[] | undefined;
  /** Accounts of the subject and of those whose lists show the record; the caller's is added. */
  readonly accounts?: readonly (string | undefined)[] | undefined;
  readonly action: string;
  /** The old values of the changed fields; `null` if the record is new. */
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Appends a change to the history, in the transaction that makes it.
 *
 * @throws ProblemError `rate_limited` if its actor has made too many changes today
 */
export async function appendEvent(
  context: Pick<ServiceContext, 'db'>,
  session: ClientSession,
  change: HistoryChange,
): Promise<void> {
  await countBy(context, session, [change]);
  await context.db.collection<HistoryEvent>('events').insertOne(toEvent(change), { session });
}

/** {@link appendEvent} for many changes of one transaction at once. */
export async function appendEvents(
  context: Pick<ServiceContext, 'db'>,
  session: ClientSession,
  changes: readonly HistoryChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await countBy(context, session, changes);
  await context.db.collection<HistoryEvent>('events').insertMany(changes.map(toEvent), { session });
}

/** Entries are kept for ever, so that nobody may make any number of them. */
async function countBy(
  context: Pick<ServiceContext, 'db'>,
  session: ClientSession,
  changes: readonly HistoryChange[],
): Promise<void> {
  const [first] = changes;
  // All are of one request.
  if (first?.caller) await countChanges(context, session, first.caller, callOf(first), changes.length);
}

const callOf = ({ call }: Pick<HistoryChange, 'call'>): HistoryEvent['call'] =>
  typeof call === 'string' ? call : call.id;

function toEvent({
  call,
  at = new Date(),
  caller,
  requestId,
  record,
  subject,
  concerns,
  accounts,
  action,
  before,
  after,
}: HistoryChange): HistoryEvent {
  const people = [...new Set([caller?.email, subject, ...(concerns ?? [])].filter((email) => email !== undefined))];
  return {
    at,
    call: callOf({ call }),
    ...(caller && { actor: actorOf(caller) }),
    requestId,
    record,
    ...(subject !== undefined && { subject }),
    ...(concerns && { concerns }),
    accounts: [...new Set([caller?.id, ...(accounts ?? [])].filter((id) => id !== undefined))],
    people,
    action,
    before,
    after,
  };
}

type Fields = Record<string, unknown>;

export interface HistoryQuestion {
  readonly record: HistoryEvent['record'];
  readonly reader: Caller;
  /** Roles that see who acted; others see only the actor's role, unless it was themselves. */
  readonly namesShownTo: readonly Role[];
  /** Maps the changed fields to their wire names; omit it if they are the same. */
  readonly map?: (fields: Fields) => Fields;
}

/** The history of a record, latest first. The caller has checked that the reader may see the record. */
export async function readHistory(
  { db }: Pick<ServiceContext, 'db'>,
  { record, reader, namesShownTo, map = (fields) => fields }: HistoryQuestion,
): Promise<HistoryEntry[]> {
  const found = db.collection<HistoryEvent>('events').find({ 'record.type': record.type, 'record.id': record.id });
  const events = await found.sort({ at: -1, _id: -1 }).limit(mostHistoryEntries).toArray();
  return events.map(({ at, action, actor, before, after }) => ({
    at: at.toISOString(),
    action,
    ...(actor && {
      actor: {
        ...(actor.id === reader.id ? { role: actor.role } : partOf(actor)),
        ...((namesShownTo.includes(reader.role) || actor.id === reader.id) && { email: actor.email }),
      },
    }),
    before: before === null ? null : map(before as Fields),
    after: map(after as Fields),
  }));
}
