import type { Filter, ObjectId } from 'mongodb';
import type { CallResponse } from '@clinic/contracts';
import type { ListAnswer } from './answers.ts';
import type { ServiceContext } from './context.ts';
import type { HistoryEvent } from './events.ts';
import { readPage, type PageQuery } from './paging.ts';

type Fields = Record<string, unknown>;
type EventOnTheWire = CallResponse<'listClinicEvents'>[number];
type StoredEvent = HistoryEvent & { readonly _id: ObjectId };

export interface EventQuery extends PageQuery {
  /** Who did it or whom it concerns; e-mail in lower case. */
  readonly person?: string | undefined;
  /** Id of the record. */
  readonly record?: string | undefined;
  readonly action?: string | undefined;
  /** Only what changed a record. */
  readonly changes?: 'true' | undefined;
  /** ISO instants; `until` itself is no part. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** What a service's own history is like. */
export interface HistoryShape {
  /** The changed fields under the names they have on the wire; the same unless given. */
  readonly map?: (fields: Fields) => Fields;
  /** The type of the records that are changed, where the history also tells what changes none; it needs an index with it. */
  readonly changed?: string;
}

export const eventSorts = { newest: { at: -1, _id: -1 } } as const;

/**
 * Everything that a service's history holds, the latest first, for admins (design section 6). The index of `kitIndexes`
 * that fits the narrowest filter answers it.
 */
export function listEvents({ db }: Pick<ServiceContext, 'db'>, query: EventQuery, { map = (fields) => fields, changed }: HistoryShape = {}): Promise<ListAnswer<EventOnTheWire>> {
  return readPage(db.collection<StoredEvent>('events'), { filter: eventFilter(query, changed), query, sorts: eventSorts, defaultSort: 'newest', map: (event) => onTheWire(event, map) });
}

/** The condition that a query stands for. @param changed - see {@link HistoryShape} */
export function eventFilter({ person, record, action, changes, from, until }: EventQuery, changed?: string): Filter<StoredEvent> {
  return {
    ...(person && { people: person }),
    ...(record && { 'record.id': record }),
    ...(action && { action }),
    ...(changes && changed !== undefined && { 'record.type': changed }),
    ...((from || until) && { at: { ...(from && { $gte: new Date(from) }), ...(until && { $lt: new Date(until) }) } }),
  };
}

function onTheWire({ _id, at, actor, action, record, people, before, after, requestId }: StoredEvent, map: (fields: Fields) => Fields): EventOnTheWire {
  return {
    _id: _id.toHexString(),
    at: at.toISOString(),
    ...(actor && { actor: { role: actor.role, email: actor.email } }),
    action,
    record: { type: record.type, id: record.id },
    people: [...(people ?? [])],
    before: before === null ? null : map(before as Fields),
    after: map(after as Fields),
    requestId,
  };
}
