import type { UpdateFilter } from 'mongodb';
import type { SuppressionReason } from '../contract/kinds.ts';
import { messagesOf, recipientWords, type MessageRecord } from '../ledger/message-record.ts';
import type { MessagesContext } from '../settings.ts';
import type { ClaimedMessage } from './claim.ts';
import type { Sending } from './verdict.ts';

type Context = Pick<MessagesContext, 'db' | 'settings'>;

/** Maximum length of an error text in the ledger. */
const mostText = 300;

/** The links of ended messages are secrets that are no longer needed. */
const withoutSecrets = { lease: '', 'data.link': '' } as const;

/** Records a message's outcome, unless its lease has passed to another replica. */
async function settle(
  context: Context,
  { _id, lease }: ClaimedMessage,
  update: UpdateFilter<MessageRecord>,
): Promise<void> {
  await messagesOf(context).updateOne({ _id, lease, status: 'pending' }, update);
}

/** The ledger keeps the visit as it was told: what a later message has to compare with. */
export function markSent(
  context: Context,
  message: ClaimedMessage,
  { language, email, data: { visit } }: Sending,
): Promise<void> {
  const now = new Date();
  return settle(context, message, {
    $set: {
      status: 'sent',
      sentAt: now,
      endedAt: now,
      language,
      'to.email': email,
      words: recipientWords({ ...message.to, email }),
      ...(visit !== undefined && { 'data.visit': visit }),
    },
    $unset: { ...withoutSecrets, lastError: '' },
  });
}

export function markSuppressed(context: Context, message: ClaimedMessage, reason: SuppressionReason): Promise<void> {
  return settle(context, message, {
    $set: { status: 'suppressed', reason, endedAt: new Date() },
    $unset: withoutSecrets,
    // Claiming counted an attempt, but there was none.
    $inc: { attempts: -1 },
  });
}

/** Returns a message unsent, without counting an attempt; the next one is at `until`. */
export function postpone(context: Context, message: ClaimedMessage, until: Date): Promise<void> {
  return settle(context, message, {
    $set: { nextAttemptAt: until },
    $unset: { lease: '' },
    $inc: { attempts: -1 },
  });
}

/**
 * Records a failed attempt. After the last one, or at once if a retry can't help, the message has failed and is listed
 * for admins.
 *
 * @param final - whether a retry can't help
 */
export function markFailedAttempt(
  context: Context,
  message: ClaimedMessage,
  reason: string,
  final: boolean,
): Promise<void> {
  const now = new Date();
  const minutes = context.settings.RETRY_MINUTES[message.attempts - 1];
  // A server's response may be of any length and have several lines.
  const lastError = reason.replaceAll(/\s+/g, ' ').slice(0, mostText);
  if (final || minutes === undefined)
    return settle(context, message, {
      $set: { status: 'failed', lastError, endedAt: now },
      $unset: withoutSecrets,
    });
  return settle(context, message, {
    $set: { lastError, nextAttemptAt: new Date(now.getTime() + minutes * 60_000) },
    $unset: { lease: '' },
  });
}
