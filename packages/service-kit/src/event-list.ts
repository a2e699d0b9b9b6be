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
  /** ISO instants; `until` itself is no part. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

export const eventSorts = { newest: { at: -1, _id: -1 } } as const;

/**
 * Everything that a service's history holds, the latest first, for admins (design section 6). The index of `kitIndexes`
 * that fits the narrowest filter answers it.
 *
 * @param map - the changed fields under the names they have on the wire
 */
export function listEvents({ db }: Pick<ServiceContext, 'db'>, query: EventQuery, map: (fields: Fields) => Fields = (fields) => fields): Promise<ListAnswer<EventOnTheWire>> {
  return readPage(db.collection<StoredEvent>('events'), { filter: eventFilter(query), query, sorts: eventSorts, defaultSort: 'newest', map: (event) => onTheWire(event, map) });
}

/** The condition that a query stands for. */
export function eventFilter({ person, record, action, from, until }: EventQuery): Filter<StoredEvent> {
  return {
    ...(person && { people: person }),
    ...(record && { 'record.id': record }),
    ...(action && { action }),
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
