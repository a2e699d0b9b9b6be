import type { Route } from '@clinic/contracts/route';
import type { messagesSchemas } from './schemas.ts';
import { webhookRoutes } from './webhook-routes.ts';

const service = 'messages';
const admins = { kind: 'restricted', roles: ['admin'] } as const;
const signedIn = { kind: 'session' } as const;
const everyone = { kind: 'everyone' } as const;

/** The domain's REST calls without their schemas, which is all that browsers need. */
export const messagesRoutes = {
  listMessages: {
    service,
    method: 'GET',
    path: '/messages',
    access: admins,
    status: 200,
    errors: [],
    paged: true,
    summary: 'List the messages to everybody, latest first, with what became of them',
  },
  listOwnMessages: {
    service,
    method: 'GET',
    path: '/messages/mine',
    access: signedIn,
    status: 200,
    errors: [],
    paged: true,
    summary: 'List the messages to the caller, latest first',
  },
  resendMessage: {
    service,
    method: 'POST',
    path: '/messages/:id/resend',
    access: admins,
    status: 200,
    errors: ['not_found', 'transition_refused'],
    summary: 'Send a failed message again',
  },
  acceptMessageAddress: {
    service,
    method: 'POST',
    path: '/messages/:id/address',
    access: admins,
    status: 204,
    errors: ['not_found', 'transition_refused'],
    summary: 'Send to a message’s address again, though it bounced',
  },
  getMessagePreferences: {
    service,
    method: 'GET',
    path: '/messages/preferences',
    access: signedIn,
    status: 200,
    errors: [],
    summary: 'Read the caller’s preferences: kinds of messages, quiet hours and language; with an ETag',
  },
  changeMessagePreferences: {
    service,
    method: 'PATCH',
    path: '/messages/preferences',
    access: signedIn,
    status: 200,
    errors: ['changed_meanwhile'],
    summary: 'Change the caller’s preferences; with If-Match, only if nobody else has changed them',
  },
  listMessageKinds: {
    service,
    method: 'GET',
    path: '/messages/kinds',
    access: admins,
    status: 200,
    errors: [],
    summary: 'List the kinds of messages and which of them are sent',
  },
  changeMessageKind: {
    service,
    method: 'PATCH',
    path: '/messages/kinds/:kind',
    access: admins,
    status: 200,
    errors: [],
    summary: 'Switch a kind of message on or off, for everybody',
  },
  previewMessageKind: {
    service,
    method: 'GET',
    path: '/messages/kinds/:kind/preview',
    access: admins,
    status: 200,
    errors: [],
    summary: 'Show a kind of message with made-up data',
  },
  getMessageFigures: {
    service,
    method: 'GET',
    path: '/messages/figures',
    access: admins,
    status: 200,
    errors: [],
    summary: 'Count messages by day, kind and status',
  },
  listMailbox: {
    service,
    method: 'GET',
    path: '/messages/mailbox',
    access: everyone,
    status: 200,
    errors: ['not_found'],
    paged: true,
    summary: 'List the mails to the demo’s accounts, latest first; only in a demo',
  },
  getMailboxMail: {
    service,
    method: 'GET',
    path: '/messages/mailbox/:id',
    access: everyone,
    status: 200,
    errors: ['not_found'],
    summary: 'Read a mail to one of the demo’s accounts; only in a demo',
  },
  readMessageAction: {
    service,
    method: 'GET',
    path: '/messages/actions/:token',
    access: everyone,
    status: 200,
    errors: ['not_found', 'transition_refused', 'too_late', 'rate_limited'],
    summary: 'Get what a link in a message would do',
  },
  takeMessageAction: {
    service,
    method: 'POST',
    path: '/messages/actions/:token',
    access: everyone,
    status: 200,
    errors: [
      'not_found',
      'transition_refused',
      'too_late',
      'slot_taken',
      'too_many_appointments',
      'changed_meanwhile',
      'rate_limited',
    ],
    summary: 'Cancel or move the appointment that a link in a message is about',
  },
  readUnsubscription: {
    service,
    method: 'GET',
    path: '/messages/unsubscribe/:token',
    access: everyone,
    status: 200,
    errors: ['not_found', 'rate_limited'],
    summary: 'Get which kind of message a link ends',
  },
  unsubscribe: {
    service,
    method: 'POST',
    path: '/messages/unsubscribe/:token',
    access: everyone,
    status: 200,
    errors: ['not_found', 'rate_limited'],
    oneClick: true,
    summary: 'End messages of one kind (RFC 8058)',
  },
  ...webhookRoutes,
  exportMessagesData: {
    service,
    method: 'GET',
    path: '/messages/export',
    personalData: 'copy',
    status: 200,
    errors: ['proof_needed'],
    access: { kind: 'restricted', roles: ['admin'], self: { in: 'query', field: 'email' }, freshProof: 'forOthers' },
    summary: 'Export everything the service holds about a person',
  },
  eraseMessagesData: {
    service,
    method: 'POST',
    path: '/messages/erasure',
    personalData: 'erasure',
    status: 200,
    errors: ['proof_needed', 'staff_account'],
    access: { kind: 'restricted', roles: ['admin'], self: { in: 'body', field: 'email' }, freshProof: 'always' },
    summary: 'Erase a person: their messages go; repeat until done',
  },
} as const satisfies Record<string, Route>;

/** Types of the calls for client, hooks and handlers. */
type MessagesCalls = {
  [Id in keyof typeof messagesRoutes]: (typeof messagesRoutes)[Id] & (typeof messagesSchemas)[Id];
};

declare module '@clinic/contracts/domain' {
  interface DomainCalls extends MessagesCalls {}
}
