import { filters, lookers, periodFilters } from '@clinic/contracts/authority';
import { defineCalls } from '@clinic/contracts/define-calls';
import { id, isoDate, paging } from '@clinic/contracts/schemas/fields';
import { looksAt } from '@clinic/contracts/schemas/looks';
import { erasure, exportOfPerson } from '@clinic/contracts/schemas/personal-data';
import { reportPeriod } from '@clinic/contracts/schemas/report-period';
import { z } from 'zod';
import {
  action,
  actionDone,
  figures,
  fullMail,
  kind,
  kindSetting,
  language,
  mail,
  message,
  ownAddress,
  ownMessage,
  preferences,
  status,
} from './schemas.ts';
import { webhookCalls } from './webhook-calls.ts';

const admins = { kind: 'restricted', roles: ['admin'] } as const;
const signedIn = { kind: 'session' } as const;
const everyone = { kind: 'everyone' } as const;
const messages = { what: 'messages', whose: 'to.email' } as const;
const demo = 'mails of a demo, which everybody may read';
const link = 'whoever has the link of a message reads it';

const hour = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time of day (HH:mm)');

const preview = z.object({ subject: z.string(), text: z.string(), html: z.string(), ics: z.string().optional() });

const token = z.string().min(1).max(2_000);

const unsubscription = z.object({ kind: z.string(), subscribed: z.boolean() });

/** Restricts a list to messages about one record of another domain, by its id. */
const aboutRecord = { appointment: id.optional(), order: id.optional() };

/** The calls of svc-messages, by name. */
export const messagesCalls = defineCalls('messages', {
  listMessages: {
    method: 'GET',
    path: '/messages',
    access: admins,
    paged: true,
    summary: 'List the messages to everybody, latest first, with what became of them',
    query: z.object({
      ...paging,
      ...aboutRecord,
      status: status.optional(),
      kind: kind.optional(),
      /** The days on which the messages arrived, 'yyyy-mm-dd' on the clinic's clock, inclusive. */
      from: isoDate('From').optional(),
      until: isoDate('Until').optional(),
    }),
    response: z.array(message),
    decides: filters('appointment', 'order', 'status', 'kind', 'from', 'until'),
    shows: { ...messages, narrowedBy: ['q', 'appointment', 'order', 'from', 'until'] },
  },
  listOwnMessages: {
    method: 'GET',
    path: '/messages/mine',
    access: signedIn,
    paged: true,
    summary: 'List the messages to the caller, latest first',
    query: z.object({ ...paging, ...aboutRecord }).omit({ q: true }),
    response: z.array(ownMessage),
    decides: filters('appointment', 'order'),
  },
  resendMessage: {
    method: 'POST',
    path: '/messages/:id/resend',
    access: admins,
    errors: ['not_found', 'transition_refused'],
    summary: 'Send a failed message again',
    params: z.object({ id }),
    response: message,
    decides: { 'params.id': 'record' },
    shows: messages,
  },
  acceptMessageAddress: {
    method: 'POST',
    path: '/messages/:id/address',
    access: admins,
    status: 204,
    errors: ['not_found', 'transition_refused'],
    summary: 'Send to a message’s address again, though it bounced',
    params: z.object({ id }),
    response: z.undefined(),
    decides: { 'params.id': 'record' },
  },
  getOwnMessageAddress: {
    method: 'GET',
    path: '/messages/address',
    access: signedIn,
    summary: 'Get whether messages reach the caller’s address, and why not',
    response: ownAddress,
  },
  acceptOwnMessageAddress: {
    method: 'POST',
    path: '/messages/address',
    access: signedIn,
    status: 204,
    errors: ['transition_refused', 'rate_limited'],
    summary: 'Send to the caller’s address again, though it bounced; three times a day',
    response: z.undefined(),
  },
  getMessagePreferences: {
    method: 'GET',
    path: '/messages/preferences',
    access: signedIn,
    summary: 'Read the caller’s preferences: kinds of messages, quiet hours and language; with an ETag',
    response: preferences,
  },
  changeMessagePreferences: {
    method: 'PATCH',
    path: '/messages/preferences',
    access: signedIn,
    errors: ['changed_meanwhile', 'rate_limited', 'idempotency_mismatch', 'in_progress'],
    idempotent: true,
    summary: 'Change the caller’s preferences; with If-Match, only if nobody else has changed them',
    body: z.object({
      kinds: z.partialRecord(kind, z.boolean()).optional(),
      quietFrom: hour.optional(),
      quietUntil: hour.optional(),
      timeZone: z.string().min(1).max(60).optional(),
      language: language.optional(),
    }),
    response: preferences,
    decides: {
      'body.kinds': 'content',
      'body.quietFrom': 'content',
      'body.quietUntil': 'content',
      'body.timeZone': 'content',
      'body.language': 'content',
    },
  },
  listMessageKinds: {
    method: 'GET',
    path: '/messages/kinds',
    access: admins,
    summary: 'List the kinds of messages and which of them are sent',
    response: z.array(kindSetting),
  },
  changeMessageKind: {
    method: 'PATCH',
    path: '/messages/kinds/:kind',
    access: admins,
    summary: 'Switch a kind of message on or off, for everybody',
    params: z.object({ kind }),
    body: z.object({ enabled: z.boolean({ error: 'Say whether messages of this kind are sent' }) }),
    response: kindSetting,
    decides: { 'params.kind': 'database', 'body.enabled': 'content' },
  },
  previewMessageKind: {
    method: 'GET',
    path: '/messages/kinds/:kind/preview',
    access: admins,
    summary: 'Show a kind of message with made-up data',
    params: z.object({ kind }),
    query: z.object({ language: language.optional() }),
    response: preview,
    decides: { 'params.kind': 'filter', 'query.language': 'filter' },
    unnoted: 'made-up data',
  },
  getMessageFigures: {
    method: 'GET',
    path: '/messages/figures',
    access: admins,
    summary: 'Count messages by day, kind and status',
    query: reportPeriod,
    response: figures,
    unnoted: 'numbers only',
    decides: periodFilters,
  },
  listMailbox: {
    method: 'GET',
    path: '/messages/mailbox',
    access: everyone,
    errors: ['not_found'],
    paged: true,
    summary: 'List the demo’s mails, latest first; only in a demo',
    query: z.object(paging),
    response: z.array(mail),
    unnoted: demo,
  },
  getMailboxMail: {
    method: 'GET',
    path: '/messages/mailbox/:id',
    access: everyone,
    errors: ['not_found'],
    summary: 'Read one of the demo’s mails; only in a demo',
    params: z.object({ id }),
    response: fullMail,
    decides: { 'params.id': 'filter' },
    unnoted: demo,
  },
  readMessageAction: {
    method: 'GET',
    path: '/messages/actions/:token',
    access: everyone,
    errors: ['not_found', 'transition_refused', 'too_late', 'rate_limited'],
    summary: 'Get what a link in a message would do',
    params: z.object({ token }),
    response: action,
    decides: { 'params.token': 'proof' },
    unnoted: link,
  },
  takeMessageAction: {
    method: 'POST',
    path: '/messages/actions/:token',
    access: everyone,
    errors: [
      'not_found',
      'transition_refused',
      'too_late',
      'slot_taken',
      'too_many_appointments',
      'changed_meanwhile',
      'rate_limited',
    ],
    summary: 'Cancel or move the appointment that a link in a message is about, or say that its patient is here',
    params: z.object({ token }),
    body: z.object({ date: z.string().max(10).optional(), time: z.string().max(5).optional() }),
    response: actionDone,
    decides: { 'params.token': 'proof', 'body.date': 'database', 'body.time': 'database' },
    unnoted: link,
  },
  readUnsubscription: {
    method: 'GET',
    path: '/messages/unsubscribe/:token',
    access: everyone,
    errors: ['not_found', 'rate_limited'],
    summary: 'Get which kind of message a link ends',
    params: z.object({ token }),
    response: unsubscription,
    decides: { 'params.token': 'proof' },
  },
  unsubscribe: {
    method: 'POST',
    path: '/messages/unsubscribe/:token',
    access: everyone,
    errors: ['not_found', 'rate_limited'],
    oneClick: true,
    summary: 'End messages of one kind (RFC 8058)',
    params: z.object({ token }),
    response: unsubscription,
    decides: { 'params.token': 'proof' },
  },
  ...webhookCalls,
  listMessagesLooks: {
    method: 'GET',
    path: '/messages/looks',
    access: { kind: 'restricted', roles: ['admin'], self: { in: 'query', field: 'email' } },
    paged: true,
    looks: true,
    summary: "List which staff viewed a person's messages, newest first",
    ...looksAt,
    decides: { 'query.email': 'session' },
    unnoted: lookers,
  },
  exportMessagesData: {
    method: 'GET',
    path: '/messages/export',
    personalData: 'copy',
    errors: ['changed_meanwhile', 'proof_needed', 'rate_limited'],
    access: { kind: 'restricted', roles: ['admin'], self: { in: 'query', field: 'email' }, freshProof: 'forOthers' },
    summary: 'Export everything the service holds about a person',
    ...exportOfPerson,
    decides: { 'query.email': 'session', 'query.userId': 'record' },
    shows: { ...messages, whose: 'told', copy: true },
  },
  eraseMessagesData: {
    method: 'POST',
    path: '/messages/erasure',
    personalData: 'erasure',
    errors: ['proof_needed', 'staff_account'],
    access: { kind: 'restricted', roles: ['admin'], self: { in: 'body', field: 'email' }, freshProof: 'always' },
    summary: 'Read how far the deletion of a person has got in the messages, for earlier front-ends',
    ...erasure,
    decides: { 'body.email': 'database', 'body.userId': 'ignored', 'body.emailConfirmed': 'ignored' },
  },
});

/** Types of the calls for client, hooks and handlers. */
type MessagesCalls = typeof messagesCalls;

declare module '@clinic/contracts/domain' {
  interface DomainCalls extends MessagesCalls {}
}
