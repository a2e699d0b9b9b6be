import type { CallSchemas } from '@clinic/contracts/calls';
import { email, id, paging } from '@clinic/contracts/schemas/fields';
import { z } from 'zod';
import { webhookKinds } from './webhook-kinds.ts';

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

/** Request and response schemas of the calls about webhooks. */
export const webhookSchemas = {
  listWebhooks: { query: z.object(paging).omit({ q: true }), response: z.array(webhook) },
  addWebhook: { body: z.object({ url, kinds: kinds.default([]) }), response: withSecret },
  changeWebhook: {
    params: z.object({ id }),
    body: z.object({ url: url.optional(), kinds: kinds.optional(), enabled: z.boolean().optional() }),
    response: webhook,
  },
  removeWebhook: { params: z.object({ id }), response: z.undefined() },
  rotateWebhookSecret: { params: z.object({ id }), response: withSecret },
  listWebhookDeliveries: {
    params: z.object({ id }),
    query: z.object({ ...paging, status: z.enum(['pending', 'delivered', 'failed']).optional() }).omit({ q: true }),
    response: z.array(delivery),
  },
  replayWebhookDelivery: { params: z.object({ id }), response: delivery },
  noteBounce: {
    body: z.object({
      type: z.enum(['email.bounced', 'email.complained'], {
        error: 'Type must be email.bounced or email.complained',
      }),
      data: z.object({ email, permanent: z.boolean().optional() }),
    }),
    response: z.undefined(),
  },
} satisfies Record<string, CallSchemas>;
