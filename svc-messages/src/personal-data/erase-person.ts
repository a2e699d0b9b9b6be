import { forgetInHistory, type Erased, type OpenDeletion } from '@clinic/service-kit';
import { undeliverableOf } from '../delivery/undeliverable.ts';
import { messagesOf } from '../ledger/message-record.ts';
import { mailboxOf } from '../mailbox/mail-record.ts';
import { preferencesOf } from '../preferences/preferences-record.ts';
import type { MessagesContext } from '../settings.ts';
import { messagesRecords } from './personal-records.ts';

/**
 * Erases a person from this service: deletes their messages, sent or not, their preferences, and their mails in a demo. Safe to repeat after
 * any interruption.
 *
 * @param until - `performance.now()` after which to start nothing new
 */
export async function erasePerson(context: MessagesContext, { person }: OpenDeletion, until: number): Promise<Erased> {
  const { messages, preferences, undeliverable, mailbox } = messagesRecords;
  let records = 0;
  for (const filter of messages.whose.recipient(person))
    records += (await messagesOf(context).deleteMany(filter)).deletedCount;
  for (const filter of preferences.whose.person(person))
    records += (await preferencesOf(context).deleteMany(filter)).deletedCount;
  for (const filter of undeliverable.whose.person(person))
    records += (await undeliverableOf(context).deleteMany(filter)).deletedCount;
  for (const filter of mailbox.whose.recipient(person))
    records += (await mailboxOf(context).deleteMany(filter)).deletedCount;
  // Events name the messages that an admin resent and the kinds they switched.
  const { events, done } = await forgetInHistory(context, person, { until, redact: (fields) => fields });
  return { done, records, cancelled: 0, events };
}
