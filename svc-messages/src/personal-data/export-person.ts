import {
  exported,
  exportedEvents,
  exportedLooks,
  exportedPerson,
  type ContextFor,
  type ExportedThing,
  type SessionCaller,
} from '@clinic/service-kit';
import { entriesOf, onTheWire } from '../entries/entry-record.ts';

type Context = ContextFor<Record<never, never>>;

/** Everything this service has about a person: their entries and the history. @param email - lower case */
export const exportPerson = (context: Context, email: string, caller: SessionCaller) =>
  exported(() => things(context, email, caller));

async function* things(context: Context, email: string, caller: SessionCaller): AsyncGenerator<ExportedThing> {
  const person = exportedPerson(email, caller);
  const own = new Set<string>();
  const theirs = person.id === undefined ? { author: email } : { authorId: person.id };
  for await (const entry of entriesOf(context).find(theirs).sort({ writtenAt: 1 })) {
    own.add(entry._id.toHexString());
    yield { kind: 'entry', data: onTheWire(entry) };
  }
  yield* exportedEvents(context, person, ({ record }) => own.has(record.id));
  yield* exportedLooks(context, person);
}
