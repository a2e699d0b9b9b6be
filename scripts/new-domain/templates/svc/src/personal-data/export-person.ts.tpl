import { exported, exportedEvents, exportedLooks, type ContextFor, type ExportedThing, type Person } from '@clinic/service-kit';
import { entriesOf, onTheWire } from '../entries/entry-record.ts';
import { entriesBy } from './personal-records.ts';

type Context = ContextFor<Record<never, never>>;

/** Everything this service has about a person: their entries and the history. */
export const exportPerson = (context: Context, person: Person) => exported(() => things(context, person));

async function* things(context: Context, person: Person): AsyncGenerator<ExportedThing> {
  const own = new Set<string>();
  for (const theirs of entriesBy(person))
    for await (const entry of entriesOf(context).find(theirs).sort({ writtenAt: 1 })) {
      own.add(entry._id.toHexString());
      yield { kind: 'entry', data: onTheWire(entry) };
    }
  yield* exportedEvents(context, person, ({ record }) => own.has(record.id));
  yield* exportedLooks(context, person);
}
