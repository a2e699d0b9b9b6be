import { exported, exportedEvents, exportedLooks, type ExportedThing, type Person } from '@clinic/service-kit';
import { undeliverableOf } from '../delivery/undeliverable.ts';
import { messagesOf, type MessageRecord } from '../ledger/message-record.ts';
import { preferencesOf } from '../preferences/preferences-record.ts';
import type { MessagesContext } from '../settings.ts';
import { messagesRecords } from './personal-records.ts';

/** All of this service's data about a person: their messages, preferences and the history. */
export const exportPerson = (context: MessagesContext, person: Person) => exported(() => things(context, person));

async function* things(context: MessagesContext, person: Person): AsyncGenerator<ExportedThing> {
  const { messages, preferences, undeliverable } = messagesRecords;
  const own = new Set<string>();
  for (const filter of messages.whose.recipient(person))
    for await (const message of messagesOf(context).find(filter).sort({ createdAt: 1 })) {
      own.add(message._id.toHexString());
      yield { kind: 'message', data: copyOf(message) };
    }
  for (const filter of preferences.whose.person(person))
    for await (const { _id: _whose, ...chosen } of preferencesOf(context).find(filter))
      yield { kind: 'message preferences', data: chosen };
  for (const filter of undeliverable.whose.person(person)) {
    const bounced = await undeliverableOf(context).findOne(filter);
    if (bounced)
      yield { kind: 'undeliverable address', data: { email: bounced._id, at: bounced.at, why: bounced.why } };
  }
  yield* exportedEvents(context, person, ({ record }) => own.has(record.id));
  yield* exportedLooks(context, person);
}

/** A message as JSON without its secret link, which a reader of the export could use. */
function copyOf({ _id, kind, to, data, status, reason, dueAt, createdAt, sentAt, language }: MessageRecord) {
  const { link: _secret, ...rest } = data;
  return { _id: _id.toHexString(), kind, to, data: rest, status, reason, dueAt, createdAt, sentAt, language };
}
