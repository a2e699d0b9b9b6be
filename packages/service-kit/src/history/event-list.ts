import type { Filter, ObjectId } from 'mongodb';
import type { RecordEvent } from '@clinic/contracts';
import type { ListAnswer } from '../http/answers.ts';
import type { ServiceContext } from '../context.ts';
import type { HistoryEvent } from './events.ts';
import { ownedBy, type LookedAt } from './looked-at.ts';
import { readPage, type PageQuery } from '../http/paging.ts';

type Fields = Record<string, unknown>;
type StoredEvent = HistoryEvent & { readonly _id: ObjectId };

export interface EventQuery extends PageQuery {
  /** The actor or a person it concerns; email in lower case. */
  readonly person?: string | undefined;
  /** Id of the record. */
  readonly record?: string | undefined;
  readonly action?: string | undefined;
  /** Only entries that changed a record. */
  readonly changes?: 'true' | undefined;
  /** ISO instants; `until` is exclusive. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** How a service's own history is shaped. */
export interface HistoryShape {
  /** Maps the changed fields to their wire names; omit it if they are the same. */
  readonly map?: (fields: Fields) => Fields;
  /**
   * Type of the records that change, if the history also has entries without a change; needs an index that includes it.
   */
  readonly changed?: string;
}

export const eventSorts = { newest: { at: -1, _id: -1 } } as const;

/** A service's whole history, latest first, for admins. Uses the `kitIndexes` index of the narrowest filter. */
export function listEvents(
  { db }: Pick<ServiceContext, 'db'>,
  query: EventQuery,
  { map = (fields) => fields, changed }: HistoryShape = {},
): Promise<ListAnswer<RecordEvent>> {
  return readPage(db.collection<StoredEvent>('events'), {
    filter: eventFilter(query, changed),
    query,
    sorts: eventSorts,
    defaultSort: 'newest',
    map: (event) => onTheWire(event, map),
  });
}

/** The filter of a query. @param changed - see {@link HistoryShape} */
export function eventFilter(
  { person, record, action, changes, from, until }: EventQuery,
  changed?: string,
): Filter<StoredEvent> {
  return {
    ...(person && { people: person }),
    ...(record && { 'record.id': record }),
    ...(action && { action }),
    ...(changes && changed !== undefined && { 'record.type': changed }),
    ...((from || until) && { at: { ...(from && { $gte: new Date(from) }), ...(until && { $lt: new Date(until) }) } }),
  };
}

/**
 * Those whom an event is about: the accounts whose lists show the record, or whoever has the addresses it names. Its actor
 * only if it is about them, too, e.g. signing in.
 */
export function concernedBy({ accounts = [], actor, subject, concerns = [], people = [] }: HistoryEvent): LookedAt[] {
  const aboutActor = actor !== undefined && (actor.email === subject || concerns.includes(actor.email));
  const ids = accounts.filter((id) => aboutActor || id !== actor?.id);
  if (ids.length > 0) return ids.map((id) => ({ email: '', id }));
  return people.filter((email) => aboutActor || email !== actor?.email).map((email) => ({ email }));
}

function onTheWire(event: StoredEvent, map: (fields: Fields) => Fields): RecordEvent {
  const { _id, at, actor, action, record, people, before, after, requestId } = event;
  return ownedBy(concernedBy(event), {
    _id: _id.toHexString(),
    at: at.toISOString(),
    ...(actor && {
      actor: { role: actor.role, email: actor.email, ...(actor.rights && { rights: [...actor.rights] }) },
    }),
    action,
    record: { type: record.type, id: record.id },
    people: [...(people ?? [])],
    before: before === null ? null : map(before as Fields),
    after: map(after as Fields),
    requestId,
  });
}
