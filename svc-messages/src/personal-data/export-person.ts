import { exported, exportedEvents, exportedLooks, type ExportedPerson, type ExportedThing } from '@clinic/service-kit';
import { undeliverableOf } from '../delivery/undeliverable.ts';
import { messagesOf, type MessageRecord } from '../ledger/message-record.ts';
import { preferencesOf } from '../preferences/preferences-record.ts';
import type { MessagesContext } from '../settings.ts';
import { messagesTo, preferencesFor } from './person-filters.ts';

/** All of this service's data about a person: their messages, preferences and the history. */
export const exportPerson = (context: MessagesContext, person: ExportedPerson) =>
  exported(() => things(context, person));

async function* things(context: MessagesContext, person: ExportedPerson): AsyncGenerator<ExportedThing> {
  const { email } = person;
  const own = new Set<string>();
  for (const filter of messagesTo(person))
    for await (const message of messagesOf(context).find(filter).sort({ createdAt: 1 })) {
      own.add(message._id.toHexString());
      yield { kind: 'message', data: copyOf(message) };
    }
  for await (const { _id: _whose, ...chosen } of preferencesOf(context).find(preferencesFor(person)))
    yield { kind: 'message preferences', data: chosen };
  const bounced = person.byEmail ? await undeliverableOf(context).findOne({ _id: email }) : null;
  if (bounced) yield { kind: 'undeliverable address', data: { email, at: bounced.at, why: bounced.why } };
  yield* exportedEvents(context, person, ({ record }) => own.has(record.id));
  yield* exportedLooks(context, person);
}

/** A message as JSON without its secret link, which a reader of the export could use. */
function copyOf({ _id, kind, to, data, status, reason, dueAt, createdAt, sentAt, language }: MessageRecord) {
  const { link: _secret, ...rest } = data;
  return { _id: _id.toHexString(), kind, to, data: rest, status, reason, dueAt, createdAt, sentAt, language };
}
