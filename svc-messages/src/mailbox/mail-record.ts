import type { Collection, Db, ObjectId } from 'mongodb';
import type { DemoMail } from '../contract/schemas.ts';

/** A mail that the demo's mail server has received. */
export interface MailRecord {
  readonly _id: ObjectId;
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  /** Message-ID: a mail that arrives twice has the same. */
  readonly messageId: string;
  readonly receivedAt: Date;
  readonly text: string;
  readonly html?: string;
  readonly attachments: readonly { readonly name: string; readonly type: string; readonly content: string }[];
}

export const mailboxOf = ({ db }: { readonly db: Db }): Collection<MailRecord> => db.collection('mailbox');

/** A mail as the mailbox lists it. */
export function toMail({
  _id,
  to,
  from,
  subject,
  messageId,
  receivedAt,
}: Omit<MailRecord, 'text' | 'html' | 'attachments'>): DemoMail {
  return { _id: _id.toHexString(), to, from, subject, messageId, receivedAt: receivedAt.toISOString() };
}
