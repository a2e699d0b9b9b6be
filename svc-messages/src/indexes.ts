import { countIndexes } from '@clinic/service-kit';
import { webhookIndexes } from './webhooks/webhook-record.ts';

/** Seconds for which the demo's mails and used links are kept. Links end with their visit, at most 90 days ahead. */
const mailsKept = 7 * 86_400;
const usedLinksKept = 400 * 86_400;

/** One index per query of the service. */
export const indexes = {
  ...webhookIndexes,
  ...countIndexes,
  messages: [
    { name: 'cause_once', key: { key: 1 }, unique: true },
    { name: 'queue', key: { status: 1, lane: 1, nextAttemptAt: 1 } },
    { key: { lease: 1 }, partialFilterExpression: { lease: { $exists: true } } },
    { key: { status: 1, dueAt: 1 } },
    { key: { createdAt: -1, _id: -1 } },
    { key: { status: 1, createdAt: -1, _id: -1 } },
    { key: { kind: 1, createdAt: -1, _id: -1 } },
    { key: { status: 1, kind: 1, createdAt: -1, _id: -1 } },
    { key: { 'to.account': 1, createdAt: -1, _id: -1 } },
    { key: { 'to.email': 1, createdAt: -1, _id: -1 } },
    { key: { visit: 1, kind: 1, status: 1 }, partialFilterExpression: { visit: { $exists: true } } },
    { key: { visit: 1, createdAt: -1, _id: -1 }, partialFilterExpression: { visit: { $exists: true } } },
    {
      key: { 'data.order.id': 1, createdAt: -1, _id: -1 },
      partialFilterExpression: { 'data.order.id': { $exists: true } },
    },
    { key: { words: 1 } },
    { key: { endedAt: 1 } },
  ],
  preferences: [{ key: { email: 1 } }],
  kinds: [{ key: { enabled: 1 } }],
  undeliverable: [{ key: { at: 1 } }],
  usedLinks: [{ key: { usedAt: 1 }, expireAfterSeconds: usedLinksKept }],
  mailbox: [
    { key: { receivedAt: 1 }, expireAfterSeconds: mailsKept },
    { key: { receivedAt: -1, _id: -1 } },
    { key: { to: 1, receivedAt: -1, _id: -1 } },
    { key: { messageId: 1 } },
  ],
} as const;
