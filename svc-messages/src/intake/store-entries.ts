import type { TakenEntry } from '@clinic/contracts/outbox/entries';
import { dateWithin, erasedAccounts, erasedAddresses, joinWritten } from '@clinic/service-kit';
import type { Filter } from 'mongodb';
import { joinMessages } from '../accounts/follow-address.ts';
import { messagesOf, type MessageRecord } from '../ledger/message-record.ts';
import { mailboxOf } from '../mailbox/mail-record.ts';
import type { MessagesContext } from '../settings.ts';
import { queueDeliveries } from '../webhooks/queue-deliveries.ts';
import { keyOf, messagesFor } from './new-messages.ts';
import { storedAlready } from './stored-already.ts';

/**
 * Writes entries of a source's outbox into the ledger. Safe to repeat, even by several replicas at once: message keys
 * are unique. Once it returns, all entries are stored and the source may delete them.
 *
 * @param source - name of the service they come from
 */
export async function storeEntries(
  context: Pick<MessagesContext, 'db' | 'inTransaction' | 'settings'>,
  source: string,
  entries: readonly TakenEntry[],
): Promise<void> {
  const now = new Date();
  const rows = entries.flatMap((entry) => messagesFor(source, entry, context.settings, now));
  if (rows.length === 0) return;
  try {
    await messagesOf(context).insertMany(rows, { ordered: false });
  } catch (error) {
    if (!storedAlready(error)) throw error;
  }
  const owners = await findOwners(context, rows);
  await queueDeliveries(context, source, entries);
  await dropErased(context, [...rows.map(({ to }) => to.account), ...owners]);
  await dropErasedAddresses(context, rows);
}

/**
 * Gives messages about visits that were booked for an address to the account that had it then.
 *
 * @returns the accounts
 */
async function findOwners(
  context: Pick<MessagesContext, 'db' | 'inTransaction'>,
  rows: readonly MessageRecord[],
): Promise<(string | undefined)[]> {
  const waiting = rows.filter(({ to, visit }) => visit !== undefined && to.account === undefined);
  for (const email of new Set(waiting.map(({ to }) => to.email)))
    if (email !== undefined) await joinWritten(context, joinMessages(context), email);
  const stored = await messagesOf(context)
    .find({ key: { $in: waiting.map(({ key }) => key) } }, { projection: { to: 1 } })
    .toArray();
  return stored.map(({ to }) => to.account);
}

/**
 * Deletes messages to people who have been erased meanwhile. An erasure first marks the account, then deletes its
 * messages: either it finds these, or its mark is found here.
 */
export async function dropErased(
  context: Pick<MessagesContext, 'db'>,
  recipients: readonly (string | undefined)[],
): Promise<void> {
  const accounts = [...new Set(recipients.filter((account) => account !== undefined))];
  const erased = await erasedAccounts(context, accounts);
  if (erased.length > 0) await drop(context, { 'to.account': { $in: erased } });
}

/**
 * {@link dropErased} for messages to an address: those of a deletion that goes on. Once it is over, their source has none
 * left, and says of the last ones that they are forgotten.
 */
async function dropErasedAddresses(
  context: Pick<MessagesContext, 'db'>,
  rows: readonly MessageRecord[],
): Promise<void> {
  const emails = rows.flatMap(({ to: { account, email } }) => (account === undefined && email ? [email] : []));
  for (const { email, ...time } of await erasedAddresses(context, [...new Set(emails)]))
    await drop(context, {
      'to.email': email,
      'to.account': { $exists: false },
      ...dateWithin('createdAt', time),
    });
}

/**
 * Deletes what was made of entries whose person has been deleted since they were read: a source's erasure may come between
 * this service's own and the writing of an entry.
 */
export async function dropForgotten(
  context: Pick<MessagesContext, 'db'>,
  source: string,
  ids: readonly string[],
): Promise<void> {
  const key = { $in: ids.map((id) => keyOf(source, id)) };
  const visit = { $in: await messagesOf(context).distinct('visit', { key, visit: { $exists: true } }) };
  await drop(context, { $or: [{ key }, { visit, 'to.account': { $exists: false } }] });
}

/** Deletes messages, and from the demo's mailbox the mails that have arrived of them: it takes none of a deleted message. */
async function drop(context: Pick<MessagesContext, 'db'>, filter: Filter<MessageRecord>): Promise<void> {
  const found = await messagesOf(context)
    .find(filter, { projection: { messageId: 1 } })
    .toArray();
  await messagesOf(context).deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
  await mailboxOf(context).deleteMany({ messageId: { $in: found.map(({ messageId }) => messageId) } });
}

/** A cancelled visit needs neither reminders nor answers. */
export async function endReminders(context: Pick<MessagesContext, 'db'>, visit: string): Promise<void> {
  await messagesOf(context).updateMany(
    { visit, kind: { $in: ['appointment-reminder', 'appointment-questions'] }, status: 'pending' },
    { $set: { status: 'suppressed', reason: 'out-of-date', endedAt: new Date() }, $unset: { lease: '' } },
  );
}
