import { type Db, ObjectId } from 'mongodb';
import { type MessageRecord, recipientWords } from '../../../svc-messages/src/ledger/message-record.ts';
import type { messagesCalls } from '../../../svc-messages/src/contract/calls.ts';
import { signLink } from '../../../svc-messages/src/links/link-tokens.ts';
import type { MailRecord } from '../../../svc-messages/src/mailbox/mail-record.ts';
import type { MessagesContext } from '../../../svc-messages/src/settings.ts';
import type { WebhookRecord } from '../../../svc-messages/src/webhooks/webhook-record.ts';
import { people, type ThreeServices } from '../support/three-services.ts';
import { ofPatient, page, plain, type Request, type Requests, type RequestsOf } from './request.ts';

const { patient } = people;

/** A demo signs links with a secret that everybody knows. */
const demo = {
  settings: { DEMO_MODE: true, NODE_ENV: 'test', INTERNAL_SECRET: undefined },
} as unknown as Pick<MessagesContext, 'settings'>;

/**
 * Valid requests for each call of svc-messages, about messages to the patient.
 *
 * @param account - the patient's
 * @param erased - address of somebody whose data may be deleted
 */
export function messagesRequests(
  { databases: { messages: db } }: Pick<ThreeServices, 'databases'>,
  account: string,
  erased: string,
): RequestsOf<keyof typeof messagesCalls> {
  const ofKind = { params: { kind: 'order-shipped' } };
  const unsubscription = async (): Promise<Request> => ({
    params: { token: await signLink(demo, 'unsubscribe', { kind: 'order-shipped', whose: account }) },
  });
  // A svc-messages that takes nothing from svc-clinic knows no appointments; system-tests/src/messages has valid links.
  const unknownLink = { params: { token: 'unknown' }, letIn: 404 };
  return {
    listMessages: plain(page),
    listOwnMessages: plain(page),
    resendMessage: () => sentMessage(db, account),
    acceptMessageAddress: () => sentMessage(db, account),
    getOwnMessageAddress: plain(),
    // Nobody's mail has bounced.
    acceptOwnMessageAddress: plain({ letIn: 409 }),
    getMessagePreferences: plain(),
    changeMessagePreferences: plain({ body: { timeZone: 'Asia/Dhaka' } }),
    listMessageKinds: plain(),
    changeMessageKind: plain({ ...ofKind, body: { enabled: true } }),
    previewMessageKind: plain(ofKind),
    getMessageFigures: plain(),
    listMailbox: plain(page),
    getMailboxMail: () => mail(db),
    readMessageAction: plain(unknownLink),
    takeMessageAction: plain({ ...unknownLink, body: {} }),
    readUnsubscription: unsubscription,
    unsubscribe: unsubscription,
    ...webhookRequests(db),
    // This clinic accepts no bounces: it has no mail provider's secret.
    noteBounce: plain({ body: { type: 'email.bounced', data: { email: erased } }, letIn: 404 }),
    listMessagesLooks: plain({ query: ofPatient }),
    exportMessagesData: plain({ query: ofPatient }),
    eraseMessagesData: plain({ body: { email: erased, userId: 'd'.repeat(24) } }),
  };
}

function webhookRequests(db: Db) {
  return {
    listWebhooks: plain(page),
    addWebhook: () => Promise.resolve({ body: { url: newUrl() } }),
    changeWebhook: async () => ({ ...(await webhook(db)), body: { kinds: ['order-placed'] } }),
    removeWebhook: () => webhook(db),
    rotateWebhookSecret: () => webhook(db),
    listWebhookDeliveries: async () => ({ ...(await webhook(db)), ...page }),
    replayWebhookDelivery: plain({ params: { id: 'f'.repeat(24) }, letIn: 404 }),
  } satisfies Requests;
}

/** A message that was sent: sending it again is allowed, but gets a 409. */
async function sentMessage(db: Db, account: string): Promise<Request> {
  const _id = new ObjectId();
  const to = { account, email: patient.email };
  await db.collection<MessageRecord>('messages').insertOne({
    _id,
    key: `matrix:${_id.toHexString()}`,
    kind: 'order-placed',
    to,
    // Otherwise they are filled in the background.
    words: recipientWords(to),
    data: {},
    status: 'sent',
    lane: 0,
    dueAt: new Date(),
    nextAttemptAt: new Date(),
    attempts: 1,
    messageId: `<${_id.toHexString()}@clinic.example>`,
    createdAt: new Date(),
    endedAt: new Date(),
  });
  return { params: { id: _id.toHexString() }, letIn: 409 };
}

async function mail(db: Db): Promise<Request> {
  const _id = new ObjectId();
  await db.collection<MailRecord>('mailbox').insertOne({
    _id,
    to: patient.email,
    from: 'clinic@clinic.example',
    subject: 'Matrix',
    messageId: `<${_id.toHexString()}@clinic.example>`,
    receivedAt: new Date(),
    text: 'Matrix',
    attachments: [],
  });
  return { params: { id: _id.toHexString() } };
}

const newUrl = (): string => `http://127.0.0.1:1/${new ObjectId().toHexString()}`;

/** A webhook that is switched off. */
async function webhook(db: Db): Promise<Request> {
  const _id = new ObjectId();
  await db.collection<WebhookRecord>('webhooks').insertOne({
    _id,
    url: newUrl(),
    kinds: [],
    enabled: false,
    secrets: [{ value: `whsec_${Buffer.alloc(32).toString('base64')}` }],
    createdAt: new Date(),
  });
  return { params: { id: _id.toHexString() } };
}
