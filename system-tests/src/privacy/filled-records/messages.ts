import type { Filled } from '@clinic/service-kit/testing';
import { ObjectId } from 'mongodb';
import type { UndeliverableRecord } from '../../../../svc-messages/src/delivery/undeliverable.ts';
import type { MessageRecord } from '../../../../svc-messages/src/ledger/message-record.ts';
import type { MailRecord } from '../../../../svc-messages/src/mailbox/mail-record.ts';
import type { PreferencesRecord } from '../../../../svc-messages/src/preferences/preferences-record.ts';
import { daysFromNow, mark, type Person } from './values.ts';

export function message({ email, id }: Person): Filled<MessageRecord> {
  const _id = new ObjectId();
  return {
    _id,
    key: mark('message-key'),
    kind: 'order-placed',
    to: { account: id, email, name: mark('message-name') },
    data: { order: { number: mark('message-data') }, link: mark('message-secret') },
    status: 'failed',
    reason: 'bounced',
    lane: 0,
    dueAt: daysFromNow(-2),
    expiresAt: daysFromNow(1),
    nextAttemptAt: daysFromNow(-2),
    attempts: 2,
    lease: 'a',
    messageId: `<${_id.toHexString()}@clinic.example>`,
    visit: mark('message-visit'),
    createdAt: daysFromNow(-3),
    sentAt: daysFromNow(-1),
    language: mark('message-language'),
    endedAt: daysFromNow(-1),
    lastError: mark('message-error'),
    words: [mark('message-name')],
  };
}

export const preferences = ({ id, email }: Person): Filled<PreferencesRecord> => ({
  _id: id,
  email,
  off: [mark('preferences-off')],
  quietFrom: '20:00',
  quietUntil: '09:00',
  timeZone: mark('preferences-zone'),
  language: mark('preferences-language'),
  changedAt: daysFromNow(-2),
});

export const undeliverable = ({ email }: Person): Filled<UndeliverableRecord> => ({
  _id: email,
  at: daysFromNow(-2),
  why: 'complained',
});

export const mail = ({ email }: Person): Filled<MailRecord> => ({
  _id: new ObjectId(),
  to: email,
  from: mark('mail-from'),
  subject: mark('mail-subject'),
  messageId: mark('mail-id'),
  receivedAt: daysFromNow(-1),
  text: mark('mail-text'),
  html: mark('mail-html'),
  attachments: [{ name: mark('mail-file'), type: 'text/plain', content: mark('mail-content') }],
});
