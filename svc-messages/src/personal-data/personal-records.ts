import {
  dateWithin,
  internal,
  provenAddresses,
  provenEmail,
  type CopyRules,
  type PersonalRecords,
} from '@clinic/service-kit';
import type { Collection } from 'mongodb';
import type { UndeliverableRecord } from '../delivery/undeliverable.ts';
import type { MessageRecord } from '../ledger/message-record.ts';
import type { MailRecord } from '../mailbox/mail-record.ts';
import type { PreferencesRecord } from '../preferences/preferences-record.ts';

const account = internal('the account’s id; the account is in the copy of svc-identity');
const sending = internal('how the message is sent; says nothing about the person');

/** Each field of a message: its name in its recipient's data export, or why it isn't exported. */
const messageInCopy: CopyRules<MessageRecord> = {
  _id: '_id',
  key: sending,
  kind: 'kind',
  to: 'to',
  data: 'data',
  status: 'status',
  reason: 'reason',
  lane: sending,
  dueAt: 'dueAt',
  expiresAt: sending,
  nextAttemptAt: sending,
  attempts: sending,
  lease: sending,
  messageId: sending,
  visit: sending,
  createdAt: 'createdAt',
  sentAt: 'sentAt',
  language: 'language',
  endedAt: sending,
  lastError: sending,
  words: internal('derived from the name, for searching'),
};

/** What erasure and export do with each record about a person. Erasure deletes whole records. */
export const messagesRecords = {
  messages: {
    whose: {
      recipient: (person) => [
        ...(person.id === undefined ? [] : [{ 'to.account': person.id }]),
        ...provenAddresses(person).map((address) => ({
          'to.email': address.email,
          'to.account': { $exists: false },
          ...dateWithin('createdAt', address),
        })),
      ],
    },
    whenDeleted: {
      recipient: {
        _id: 'kept',
        key: 'emptied',
        kind: 'emptied',
        to: 'emptied',
        data: 'emptied',
        status: 'emptied',
        reason: 'removed',
        lane: 'kept',
        dueAt: 'emptied',
        expiresAt: 'removed',
        nextAttemptAt: 'emptied',
        attempts: 'kept',
        lease: 'removed',
        messageId: 'emptied',
        visit: 'removed',
        createdAt: 'emptied',
        sentAt: 'removed',
        language: 'removed',
        endedAt: 'removed',
        lastError: 'removed',
        words: 'removed',
      },
    },
    inCopy: messageInCopy,
  },
  preferences: {
    whose: {
      person: (person) => {
        const email = provenEmail(person);
        return [
          ...(person.id === undefined ? [] : [{ _id: person.id }]),
          ...(email === undefined ? [] : [{ _id: `address:${email}` }]),
        ];
      },
    },
    whenDeleted: {
      person: {
        _id: 'emptied',
        email: 'removed',
        off: 'emptied',
        quietFrom: 'removed',
        quietUntil: 'removed',
        timeZone: 'removed',
        language: 'removed',
        changedAt: 'emptied',
      },
    },
    inCopy: {
      _id: account,
      email: 'email',
      off: 'off',
      quietFrom: 'quietFrom',
      quietUntil: 'quietUntil',
      timeZone: 'timeZone',
      language: 'language',
      changedAt: 'changedAt',
    },
  },
  undeliverable: {
    whose: {
      person: (person) =>
        provenAddresses(person).map((address) => ({ _id: address.email, ...dateWithin('at', address) })),
    },
    whenDeleted: { person: { _id: 'emptied', at: 'emptied', why: 'removed' } },
    inCopy: { _id: 'email', at: 'at', why: 'why' },
  },
  mailbox: {
    whose: {
      recipient: (person) =>
        provenAddresses(person).map((address) => ({ to: address.email, ...dateWithin('receivedAt', address) })),
    },
    whenDeleted: {
      recipient: {
        _id: 'emptied',
        to: 'emptied',
        from: 'emptied',
        subject: 'emptied',
        messageId: 'emptied',
        receivedAt: 'emptied',
        text: 'emptied',
        html: 'removed',
        attachments: 'emptied',
      },
    },
    inCopy: internal('the demo’s mailbox, which everyone can read'),
  },
} satisfies PersonalRecords<{
  messages: Collection<MessageRecord>;
  preferences: Collection<PreferencesRecord>;
  undeliverable: Collection<UndeliverableRecord>;
  mailbox: Collection<MailRecord>;
}>;
