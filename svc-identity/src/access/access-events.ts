import type { Collection, Filter, ObjectId } from 'mongodb';
import type { AccessAction } from '../contract/actions.ts';
import type { AccessEvent } from '../contract/schemas.ts';
import {
  concernedBy,
  ownedBy,
  readPage,
  type HistoryEvent,
  type IndexPlan,
  type ListAnswer,
  type PageQuery,
  type SessionCaller,
} from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';
import type { UserRecord } from '../users/user-record.ts';

/** An event of this service's history; all of them are about access. */
export interface AccessRecord extends HistoryEvent {
  readonly _id: ObjectId;
}

/** Record type of sign-ins, separate from changes of a user, whose history they would swamp. */
export const signInRecord = 'sign-in';

/**
 * Record type of all other events: about users, about invited people who may not be users yet, by the invitation's id, and
 * about releases, by the front-end's name.
 */
export const changedRecord = 'user';

/** Who makes a change, and in which request. */
export interface By {
  readonly caller: SessionCaller;
  readonly requestId: string;
}

/** Who causes a change, which may be nobody who is logged in, and in which request. */
export interface Actor {
  readonly caller: Pick<SessionCaller, 'id' | 'email' | 'role' | 'rights'> | undefined;
  readonly requestId: string;
}

/** What all events about a user have in common. */
export function aboutUser({ _id, email }: Pick<UserRecord, '_id' | 'email'>) {
  const id = _id.toHexString();
  return { record: { type: changedRecord, id }, subject: email, accounts: [id] };
}

/** What all events about an invitation have in common; the invited person may have no account yet. */
export function aboutInvitation({ _id, email }: { readonly _id: ObjectId; readonly email: string }) {
  return { record: { type: changedRecord, id: _id.toHexString() }, subject: email };
}

/** A user as the actor of their own change. */
export function asCaller({ _id, email, role }: UserRecord) {
  return { id: _id.toHexString(), email, role };
}

export const accessIndexes: IndexPlan = {
  events: [
    { key: { at: -1, _id: -1 }, name: 'newest' },
    { key: { subject: 1, at: -1, _id: -1 }, name: 'by_subject' },
    { key: { action: 1, at: -1, _id: -1 }, name: 'by_action' },
    // Rare among the many sign-ins, hence its own index.
    { key: { 'record.type': 1, at: -1, _id: -1 }, name: 'changes' },
    { key: { people: 1, 'record.type': 1, at: -1, _id: -1 }, name: 'changes_by_person' },
  ],
};

export const accessSorts = { newest: { at: -1, _id: -1 } } as const;

export interface AccessQuery extends PageQuery {
  /** Lower case. */
  readonly email?: string | undefined;
  readonly action?: AccessAction | undefined;
}

export function accessEventsOf({ db }: Pick<IdentityContext, 'db'>): Collection<AccessRecord> {
  return db.collection('events');
}

/** Access events, latest first. */
export function listAccessEvents(context: IdentityContext, query: AccessQuery): Promise<ListAnswer<AccessEvent>> {
  return readPage(accessEventsOf(context), {
    filter: accessFilter(query),
    query,
    sorts: accessSorts,
    defaultSort: 'newest',
    map: onTheWire,
  });
}

/** The filter of a query. */
export function accessFilter({ email, action }: AccessQuery): Filter<AccessRecord> {
  return { ...(email !== undefined && { subject: email }), ...(action !== undefined && { action }) };
}

function onTheWire(event: AccessRecord): AccessEvent {
  const { _id, at, action, actor, subject, before, after, requestId } = event;
  return ownedBy(concernedBy(event), {
    _id: _id.toHexString(),
    at: at.toISOString(),
    action,
    ...(actor && {
      actor: { role: actor.role, email: actor.email, ...(actor.rights && { rights: [...actor.rights] }) },
    }),
    ...(subject !== undefined && { user: subject }),
    before: before as AccessEvent['before'],
    after: after as AccessEvent['after'],
    requestId,
  });
}
