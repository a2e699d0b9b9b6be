import type { TakenEntry } from '@clinic/contracts/outbox/entries';
import { erasedAccounts, joinWritten } from '@clinic/service-kit';
import { joinMessages } from '../accounts/follow-address.ts';
import { messagesOf, type MessageRecord } from '../ledger/message-record.ts';
import type { MessagesContext } from '../settings.ts';
import { queueDeliveries } from '../webhooks/queue-deliveries.ts';
import { messagesFor } from './new-messages.ts';
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
  if (erased.length > 0) await messagesOf(context).deleteMany({ 'to.account': { $in: erased } });
}

/** A cancelled visit needs neither reminders nor answers. */
export async function endReminders(context: Pick<MessagesContext, 'db'>, visit: string): Promise<void> {
  await messagesOf(context).updateMany(
    { visit, kind: { $in: ['appointment-reminder', 'appointment-questions'] }, status: 'pending' },
    { $set: { status: 'suppressed', reason: 'out-of-date', endedAt: new Date() }, $unset: { lease: '' } },
  );
}
