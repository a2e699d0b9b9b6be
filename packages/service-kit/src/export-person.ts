import type { Role } from '@clinic/contracts';
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

/**
 * What the history says of a person: everything about their own records, and of what they did to other people's only that
 * they did it. Who else acted is told by role.
 *
 * @param email - lower case
 * @param isOwn - whether the event's record is the person's own
 * @param map - the changed fields under the names they have on the wire
 */
export async function* exportedEvents(
  { db }: Pick<ServiceContext, 'db'>,
  email: string,
  isOwn: (event: HistoryEvent) => boolean,
  map: (fields: Record<string, unknown>) => Record<string, unknown> = (fields) => fields,
): AsyncGenerator<ExportedThing> {
  for await (const event of db.collection<HistoryEvent>('events').find({ people: email }).sort({ at: -1, _id: -1 })) {
    const { at, action, actor, record, before, after } = event;
    const by: Role | 'you' | undefined = actor?.email === email ? 'you' : actor?.role;
    yield {
      kind: 'event',
      data: {
        at: at.toISOString(), action, ...(by !== undefined && { by }), record,
        ...(isOwn(event) && { before: before === null ? null : map(before as Record<string, unknown>), after: map(after as Record<string, unknown>) }),
      },
    };
  }
}
