import type { Caller, Role } from '@clinic/contracts';
import type { Filter } from 'mongodb';
import type { ServiceContext } from '../context.ts';
import { streamed, type ListAnswer, type RowSource } from '../http/answers.ts';
import type { HistoryEvent } from '../history/events.ts';

/** One item of a person's data export. */
export interface ExportedThing {
  readonly kind: string;
  readonly data: Record<string, unknown>;
}

/** Everything stored about a person, streamed as it is read. */
export function exported(things: () => AsyncIterable<ExportedThing>): ListAnswer<ExportedThing> {
  const source = things()[Symbol.asyncIterator]();
  const rows: RowSource<ExportedThing> = {
    [Symbol.asyncIterator]: () => source,
    async close() {
      await source.return?.();
    },
  };
  return streamed(rows, (thing) => thing);
}

/** The person whose data is exported. */
export interface ExportedPerson {
  /** Lower case. */
  readonly email: string;
  /** The account, if known. */
  readonly id: string | undefined;
  /**
   * Include what is filed under the address without an account; for admins, and people who have confirmed the address.
   */
  readonly byEmail: boolean;
}

/**
 * The person an export is about: callers get what belongs to their own account, admins what is filed under an address.
 */
export function exportedPerson(email: string, caller: Caller): ExportedPerson {
  const own = caller.email === email;
  return { email, id: own ? caller.id : undefined, byEmail: !own || caller.confirmed };
}

/** Filter for the events about a person. */
function eventsOf({ email, id, byEmail }: ExportedPerson): Filter<HistoryEvent> {
  if (id === undefined) return { people: email };
  const own: Filter<HistoryEvent>[] = [{ 'actor.id': id }, { accounts: id }];
  return { $or: byEmail ? [...own, { people: email, accounts: { $exists: false } }] : own };
}

/**
 * A person's part of the history: everything about their own records, and only the action of what they did to others'.
 * Other actors are shown by role.
 *
 * @param person - whose events
 * @param isOwn - whether the event's record is the person's own
 * @param map - maps the changed fields to their wire names
 */
export async function* exportedEvents(
  { db }: Pick<ServiceContext, 'db'>,
  person: ExportedPerson,
  isOwn: (event: HistoryEvent) => boolean,
  map: (fields: Record<string, unknown>) => Record<string, unknown> = (fields) => fields,
): AsyncGenerator<ExportedThing> {
  for await (const event of db.collection<HistoryEvent>('events').find(eventsOf(person)).sort({ at: -1, _id: -1 })) {
    const { at, action, actor, record, before, after } = event;
    const by: Role | 'you' | undefined = isSelf(person, actor) ? 'you' : actor?.role;
    yield {
      kind: 'event',
      data: {
        at: at.toISOString(),
        action,
        ...(by !== undefined && { by }),
        record,
        ...(isOwn(event) && {
          before: before === null ? null : map(before as Record<string, unknown>),
          after: map(after as Record<string, unknown>),
        }),
      },
    };
  }
}

function isSelf({ id, email }: ExportedPerson, actor: HistoryEvent['actor']): boolean {
  if (!actor) return false;
  return id === undefined ? actor.email === email : actor.id === id;
}
