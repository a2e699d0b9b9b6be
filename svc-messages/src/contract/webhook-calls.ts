import { defineCalls } from '@clinic/contracts/define-calls';
import { email, id, paging } from '@clinic/contracts/schemas/fields';
import { z } from 'zod';
import { webhookKinds } from './webhook-kinds.ts';

const access = { kind: 'restricted', roles: ['admin'] } as const;
/** A webhook decides where the clinic's events go, and its secret lets others speak in the clinic's name. */
const proven = { ...access, freshProof: 'always' } as const;

const url = z
  .string({ error: 'Address is required' })
  .trim()
  .max(500, 'Address must be 500 characters or fewer')
  .refine((value) => {
    const address = URL.parse(value);
    return address !== null && /^https?:$/.test(address.protocol) && address.username === '' && address.password === '';
  }, 'Enter an address like https://example.com/webhook, without a password');

/** Empty: all kinds. */
const kinds = z
  .array(z.enum(webhookKinds, { error: `Kind must be one of ${webhookKinds.join(', ')}` }))
  .max(webhookKinds.length)
  .transform((all) => [...new Set(all)]);

const webhook = z.object({
  _id: id,
  url: z.string(),
  kinds: z.array(z.enum(webhookKinds)),
  enabled: z.boolean(),
  /** ISO instant. */
  createdAt: z.string(),
});

/** An integrator's address that receives events. */
export type Webhook = z.infer<typeof webhook>;

/** With the secret, which is shown once. */
const withSecret = webhook.extend({ secret: z.string() });

const delivery = z.object({
  _id: id,
  /** The `webhook-id` header, by which receivers recognise repeated deliveries. */
  event: z.string(),
  type: z.string(),
  /** JSON, as sent. */
  body: z.string(),
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.number(),
  /** ISO instants. */
  createdAt: z.string(),
  nextAttemptAt: z.string().optional(),
  endedAt: z.string().optional(),
  /** HTTP status of the last response. */
  lastStatus: z.number().optional(),
  lastError: z.string().optional(),
});

/** An event on its way to a webhook. */
export type WebhookDelivery = z.infer<typeof delivery>;

/** The calls about webhooks: ours to integrators, and the mail provider's to us. */
export const webhookCalls = defineCalls('messages', {
  listWebhooks: {
    method: 'GET',
    path: '/messages/webhooks',
    access,
    paged: true,
    summary: 'List the webhooks, latest first, without their secrets',
    query: z.object(paging).omit({ q: true }),
    response: z.array(webhook),
  },
  addWebhook: {
    method: 'POST',
    path: '/messages/webhooks',
    access: proven,
    status: 201,
    errors: ['duplicate', 'rate_limited', 'proof_needed'],
    summary: 'Add a webhook; the answer has its secret, which isn’t shown again',
    body: z.object({ url, kinds: kinds.default([]) }),
    response: withSecret,
    decides: { 'body.url': 'database', 'body.kinds': 'content' },
  },
  changeWebhook: {
    method: 'PATCH',
    path: '/messages/webhooks/:id',
    access: proven,
    errors: ['not_found', 'duplicate', 'rate_limited', 'proof_needed'],
    summary: 'Change a webhook’s address or kinds, or switch it off or on',
    params: z.object({ id }),
    body: z.object({ url: url.optional(), kinds: kinds.optional(), enabled: z.boolean().optional() }),
    response: webhook,
    decides: { 'params.id': 'record', 'body.url': 'database', 'body.kinds': 'content', 'body.enabled': 'content' },
  },
  removeWebhook: {
    method: 'DELETE',
    path: '/messages/webhooks/:id',
    access: proven,
    status: 204,
    errors: ['not_found', 'rate_limited', 'proof_needed'],
    summary: 'Remove a webhook and its deliveries',
    params: z.object({ id }),
    response: z.undefined(),
    decides: { 'params.id': 'record' },
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/messages/webhooks/:id/secret',
    access: proven,
    errors: ['not_found', 'rate_limited', 'proof_needed'],
    summary: 'Give a webhook a new secret; the one before signs too for a day',
    params: z.object({ id }),
    response: withSecret,
    decides: { 'params.id': 'record' },
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/messages/webhooks/:id/deliveries',
    access,
    errors: ['not_found'],
    paged: true,
    summary: 'List the deliveries to a webhook, latest first',
    params: z.object({ id }),
    query: z.object({ ...paging, status: z.enum(['pending', 'delivered', 'failed']).optional() }).omit({ q: true }),
    response: z.array(delivery),
    decides: { 'params.id': 'record', 'query.status': 'filter' },
    unnoted: 'ids and times only',
  },
  replayWebhookDelivery: {
    method: 'POST',
    path: '/messages/webhook-deliveries/:id/replay',
    access,
    errors: ['not_found', 'transition_refused'],
    summary: 'Deliver an event again, whatever became of it',
    params: z.object({ id }),
    response: delivery,
    decides: { 'params.id': 'record' },
    unnoted: 'ids and times only',
  },
  noteBounce: {
    method: 'POST',
    path: '/messages/bounces',
    access: { kind: 'everyone' },
    status: 204,
    errors: ['not_found', 'unauthenticated', 'rate_limited'],
    signed: true,
    forPrograms: true,
    summary: 'Take a mail provider’s report of a bounce or complaint, signed as Standard Webhooks',
    body: z.object({
      type: z.enum(['email.bounced', 'email.complained'], {
        error: 'Type must be email.bounced or email.complained',
      }),
      data: z.object({ email, permanent: z.boolean().optional() }),
    }),
    response: z.undefined(),
    decides: { 'body.type': 'proof', 'body.data': 'proof' },
  },
});
