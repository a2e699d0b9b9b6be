import type { Route } from '@clinic/contracts/route';

const service = 'messages';
const access = { kind: 'restricted', roles: ['admin'] } as const;
/** A webhook decides where the clinic's events go, and its secret lets others speak in the clinic's name. */
const proven = { ...access, freshProof: 'always' } as const;

/** The calls about webhooks: ours to integrators, and the mail provider's to us. */
export const webhookRoutes = {
  listWebhooks: {
    service,
    method: 'GET',
    path: '/messages/webhooks',
    access,
    status: 200,
    errors: [],
    paged: true,
    summary: 'List the webhooks, latest first, without their secrets',
  },
  addWebhook: {
    service,
    method: 'POST',
    path: '/messages/webhooks',
    access: proven,
    status: 201,
    errors: ['duplicate', 'rate_limited', 'proof_needed'],
    summary: 'Add a webhook; the answer has its secret, which isn’t shown again',
  },
  changeWebhook: {
    service,
    method: 'PATCH',
    path: '/messages/webhooks/:id',
    access: proven,
    status: 200,
    errors: ['not_found', 'duplicate', 'rate_limited', 'proof_needed'],
    summary: 'Change a webhook’s address or kinds, or switch it off or on',
  },
  removeWebhook: {
    service,
    method: 'DELETE',
    path: '/messages/webhooks/:id',
    access: proven,
    status: 204,
    errors: ['not_found', 'rate_limited', 'proof_needed'],
    summary: 'Remove a webhook and its deliveries',
  },
  rotateWebhookSecret: {
    service,
    method: 'POST',
    path: '/messages/webhooks/:id/secret',
    access: proven,
    status: 200,
    errors: ['not_found', 'rate_limited', 'proof_needed'],
    summary: 'Give a webhook a new secret; the one before signs too for a day',
  },
  listWebhookDeliveries: {
    service,
    method: 'GET',
    path: '/messages/webhooks/:id/deliveries',
    access,
    status: 200,
    errors: ['not_found'],
    paged: true,
    summary: 'List the deliveries to a webhook, latest first',
  },
  replayWebhookDelivery: {
    service,
    method: 'POST',
    path: '/messages/webhook-deliveries/:id/replay',
    access,
    status: 200,
    errors: ['not_found', 'transition_refused'],
    summary: 'Deliver an event again, whatever became of it',
  },
  noteBounce: {
    service,
    method: 'POST',
    path: '/messages/bounces',
    access: { kind: 'everyone' },
    status: 204,
    errors: ['not_found', 'unauthenticated', 'rate_limited'],
    signed: true,
    forPrograms: true,
    summary: 'Take a mail provider’s report of a bounce or complaint, signed as Standard Webhooks',
  },
} as const satisfies Record<string, Route>;
