import type { Caller, Role } from '@clinic/contracts';
import type { Filter } from 'mongodb';
import type { ServiceContext } from '../context.ts';
import { streamed, type ListAnswer, type RowSource } from '../http/answers.ts';
import { partOf } from '../history/actors.ts';
import type { HistoryEvent } from '../history/events.ts';
import { assertSeenAccount, dateWithin, provenAddresses, readPerson, type Person } from './person.ts';

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

/**
 * The person an export is about: callers get what belongs to their own account, admins what belongs to the account that
 * has the address now, or what is filed under it if none has.
 *
 * @param seen - the account that the caller saw at the address: a copy is gathered part by part, and the address may
 *   become somebody else's before the last
 * @throws ProblemError changed_meanwhile if the address is another account's than the caller saw; unavailable if
 *   svc-identity can't say who that is
 */
export async function exportedPerson(
  context: Pick<ServiceContext, 'settings' | 'stopping'>,
  email: string,
  caller: Caller,
  seen?: string,
): Promise<Person> {
  const person = await readPerson(context, { email, id: caller.email === email ? caller.id : undefined });
  assertSeenAccount(email, person.id, seen);
  return person;
}

/** Filters for the events about a person; an event may match several. */
export function eventsAbout(person: Person): Filter<HistoryEvent>[] {
  return [
    // Older events don't name the actor's account.
    ...(person.id === undefined ? [] : [{ accounts: person.id }, { 'actor.id': person.id }]),
    ...provenAddresses(person).map((address) => ({
      people: address.email,
      ...dateWithin('at', address),
      ...(address.others.length > 0 && { accounts: { $nin: [...address.others] } }),
    })),
  ];
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
  person: Person,
  isOwn: (event: HistoryEvent) => boolean,
  map: (fields: Record<string, unknown>) => Record<string, unknown> = (fields) => fields,
): AsyncGenerator<ExportedThing> {
  const about: Filter<HistoryEvent> = { $or: eventsAbout(person) };
  if (about.$or?.length === 0) return;
  for await (const event of db.collection<HistoryEvent>('events').find(about).sort({ at: -1, _id: -1 })) {
    const { at, action, actor, record, before, after } = event;
    const by: Role | 'you' | undefined = actor && actor.id === person.id ? 'you' : actor && partOf(actor).role;
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
