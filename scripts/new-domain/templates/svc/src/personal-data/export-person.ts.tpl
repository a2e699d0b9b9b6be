import { exported, exportedEvents, exportedLooks, type ContextFor, type ExportedPerson, type ExportedThing } from '@clinic/service-kit';
import { entriesOf, onTheWire } from '../entries/entry-record.ts';

type Context = ContextFor<Record<never, never>>;

/** Everything this service has about a person: their entries and the history. */
export const exportPerson = (context: Context, person: ExportedPerson) => exported(() => things(context, person));

async function* things(context: Context, person: ExportedPerson): AsyncGenerator<ExportedThing> {
  const own = new Set<string>();
  const theirs = person.id === undefined ? { author: person.email } : { authorId: person.id };
  for await (const entry of entriesOf(context).find(theirs).sort({ writtenAt: 1 })) {
    own.add(entry._id.toHexString());
    yield { kind: 'entry', data: onTheWire(entry) };
  }
  yield* exportedEvents(context, person, ({ record }) => own.has(record.id));
  yield* exportedLooks(context, person);
}
