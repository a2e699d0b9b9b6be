import { countErased, forgetInHistory, type Erased, type OpenDeletion } from '@clinic/service-kit';
import type { Collection, Filter } from 'mongodb';
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
  const remove = <Kept extends object>(from: Collection<Kept>, filter: Filter<Kept>): Promise<void> =>
    context.inTransaction(async (session) => {
      const { deletedCount } = await from.deleteMany(filter, { session });
      await countErased(context, session, person, { records: deletedCount });
    });
  for (const filter of messages.whose.recipient(person)) {
    // Mails may have arrived under an address that the person had given up meanwhile: they are known by their message. The
    // second time for those that arrived while the messages went; the mail server keeps none whose message is gone.
    const sent = await messagesOf(context).distinct('messageId', filter);
    await remove(mailboxOf(context), { messageId: { $in: sent } });
    await remove(messagesOf(context), filter);
    await remove(mailboxOf(context), { messageId: { $in: sent } });
  }
  for (const filter of preferences.whose.person(person)) await remove(preferencesOf(context), filter);
  for (const filter of undeliverable.whose.person(person)) await remove(undeliverableOf(context), filter);
  for (const filter of mailbox.whose.recipient(person)) await remove(mailboxOf(context), filter);
  // Events name the messages that an admin resent and the kinds they switched.
  return forgetInHistory(context, person, { until, redact: (fields) => fields });
}
