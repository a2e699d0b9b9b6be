import type { Caller, Role } from '@clinic/contracts';
import type { Filter } from 'mongodb';
import type { ServiceContext } from './context.ts';
import { streamed, type ListAnswer, type RowSource } from './answers.ts';
import type { HistoryEvent } from './events.ts';

/** One thing of the copy that a person gets of their data. */
export interface ExportedThing {
  readonly kind: string;
  readonly data: Record<string, unknown>;
}

/** A copy of all that is known of a person, sent as it is read, whatever its length. */
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

/** Whose data are copied. */
export interface ExportedPerson {
  /** Lower case. */
  readonly email: string;
  /** The account, where it is known. */
  readonly id: string | undefined;
  /** What stands under the address without an account is the person's too: they have confirmed it, or an admin asks. */
  readonly byEmail: boolean;
}

/** Whom a copy is about: callers get what belongs to their own account, admins what stands under an address. */
export function exportedPerson(email: string, caller: Caller): ExportedPerson {
  const own = caller.email === email;
  return { email, id: own ? caller.id : undefined, byEmail: !own || caller.confirmed };
}

/** The events that tell of a person. */
function eventsOf({ email, id, byEmail }: ExportedPerson): Filter<HistoryEvent> {
  if (id === undefined) return { people: email };
  const own: Filter<HistoryEvent>[] = [{ 'actor.id': id }, { accounts: id }];
  return { $or: byEmail ? [...own, { people: email, accounts: { $exists: false } }] : own };
}

/**
 * What the history says of a person: everything about their own records, and of what they did to other people's only that
 * they did it. Who else acted is told by role.
 *
 * @param person - whose events
 * @param isOwn - whether the event's record is the person's own
 * @param map - the changed fields under the names they have on the wire
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
        at: at.toISOString(), action, ...(by !== undefined && { by }), record,
        ...(isOwn(event) && { before: before === null ? null : map(before as Record<string, unknown>), after: map(after as Record<string, unknown>) }),
      },
    };
  }
}

function isSelf({ id, email }: ExportedPerson, actor: HistoryEvent['actor']): boolean {
  if (!actor) return false;
  return id === undefined ? actor.email === email : actor.id === id;
}
