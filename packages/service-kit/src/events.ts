import type { ClientSession } from 'mongodb';
import type { CallId } from '@clinic/contracts';
import type { ServiceContext } from './context.ts';
import type { SessionCaller } from './session-claims.ts';

/** One change as the history keeps it (design section 6). Never changed or deleted. */
export interface HistoryEvent {
  readonly at: Date;
  readonly call: CallId | 'seed';
  /** Who did it; absent when the system itself did. */
  readonly actor?: { readonly id: string; readonly email: string; readonly role: string };
  readonly requestId: string;
  readonly record: { readonly type: string; readonly id: string };
  /** What happened, e.g. `status changed`. */
  readonly action: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What a domain function knows of a change. */
export interface Change {
  /** A call, its id, or 'seed'. */
  readonly call: { readonly id: CallId } | CallId | 'seed';
  readonly caller: Pick<SessionCaller, 'id' | 'email' | 'role'> | undefined;
  readonly requestId: string;
  readonly record: { readonly type: string; readonly id: string };
  readonly action: string;
  /** The changed fields as they were; `null` when the record is new. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Appends a change to the history, in the transaction that makes it. */
export async function appendEvent(context: Pick<ServiceContext, 'db'>, session: ClientSession, change: Change): Promise<void> {
  const { call, caller, requestId, record, action, before, after } = change;
  const event: HistoryEvent = {
    at: new Date(),
    call: typeof call === 'string' ? call : call.id,
    ...(caller && { actor: { id: caller.id, email: caller.email, role: caller.role } }),
    requestId, record, action, before, after,
  };
  await context.db.collection<HistoryEvent>('events').insertOne(event, { session });
}
