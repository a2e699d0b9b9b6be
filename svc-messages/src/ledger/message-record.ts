import type { OutboxRecipient } from '@clinic/contracts/outbox/entries';
import { findingWords } from '@clinic/contracts/search-key';
import { ownedBy } from '@clinic/service-kit';
import type { Collection, Db, ObjectId } from 'mongodb';
import type { MessageStatus, SuppressionReason } from '../contract/kinds.ts';
import type { Message, OwnMessage } from '../contract/schemas.ts';

/** A message in the ledger, exactly one for each cause. */
export interface MessageRecord {
  readonly _id: ObjectId;
  /** Its cause. Unique, so that a cause that arrives twice makes one message. */
  readonly key: string;
  /** One of the kinds, or one that only a later release knows. */
  readonly kind: string;
  readonly to: OutboxRecipient;
  readonly data: Readonly<Record<string, unknown>>;
  readonly status: MessageStatus;
  /** Why it was suppressed. */
  readonly reason?: SuppressionReason;
  /** Priority: 0 is sent before 1, so that a password doesn't wait behind thousands of reminders. */
  readonly lane: 0 | 1;
  /** When it should be sent. */
  readonly dueAt: Date;
  /** When it stops being useful; it isn't sent after that. */
  readonly expiresAt?: Date;
  /** While it is pending, when the next attempt may start; while a replica sends it, when another may take over. */
  readonly nextAttemptAt: Date;
  readonly attempts: number;
  /** Id of the claim by the replica that is sending it. */
  readonly lease?: string;
  /** The same for all attempts, so that mail programs recognise a mail that arrives twice (RFC 5322, section 3.6.4). */
  readonly messageId: string;
  /** Id of the appointment it is about. */
  readonly visit?: string;
  /** When it was caused: while the ledger was down, others may have taken the address. */
  readonly createdAt: Date;
  readonly sentAt?: Date;
  /** Language in which it was sent. */
  readonly language?: string;
  /** When it was sent or suppressed, or failed. */
  readonly endedAt?: Date;
  readonly lastError?: string;
  /** See {@link recipientWords}; absent: written by the previous release. */
  readonly words?: readonly string[];
}

/** What finds a message: the words of its recipient's name and address. */
export const recipientWords = ({ name = '', email = '' }: OutboxRecipient): string[] => findingWords(name, email);

export const messagesOf = ({ db }: { readonly db: Db }): Collection<MessageRecord> => db.collection('messages');

/** A message as its recipient sees it. */
export function toOwnMessage(record: MessageRecord): OwnMessage {
  const { _id, kind, data, status, reason, createdAt, dueAt, sentAt } = record;
  return {
    _id: _id.toHexString(),
    kind,
    about: aboutOf(data),
    status,
    ...(reason && { reason }),
    createdAt: createdAt.toISOString(),
    dueAt: dueAt.toISOString(),
    ...(sentAt && { sentAt: sentAt.toISOString() }),
  };
}

/** A message as admins see it. */
export function toMessage(record: MessageRecord): Message {
  const { to, attempts, status, nextAttemptAt, lastError, language } = record;
  return ownedBy(
    { email: to.email ?? '', id: to.account },
    {
      ...toOwnMessage(record),
      to: { ...(to.email !== undefined && { email: to.email }), ...(to.name !== undefined && { name: to.name }) },
      attempts,
      ...(status === 'pending' && { nextAttemptAt: nextAttemptAt.toISOString() }),
      ...(lastError !== undefined && { lastError }),
      ...(language !== undefined && { language }),
    },
  );
}

/** The doctor, the time or the order that a message is about; never a medicine, which reveals somebody's health. */
function aboutOf(data: MessageRecord['data']): OwnMessage['about'] {
  const fields = (value: unknown): Readonly<Record<string, unknown>> => (value ?? {}) as Record<string, unknown>;
  const { doctor, date, time } = fields(data['visit'] ?? data['offer']);
  const { number } = fields(data['order']);
  const text = (name: string, value: unknown) => (typeof value === 'string' ? { [name]: value } : {});
  return { ...text('doctor', doctor), ...text('date', date), ...text('time', time), ...text('order', number) };
}
