import { isDeepStrictEqual } from 'node:util';
import {
  appendEvent,
  countToday,
  isDuplicateKey,
  ProblemError,
  type DailyAct,
  type ServiceRequest,
} from '@clinic/service-kit';
import { ObjectId, type ClientSession } from 'mongodb';
import type { MessagesContext } from '../settings.ts';
import { assertPublicAddress } from './public-address.ts';
import { deliveriesOf, webhooksOf, type WebhookRecord } from './webhook-record.ts';
import { makeSecret } from './webhook-secrets.ts';

type Context = Pick<MessagesContext, 'db' | 'settings' | 'inTransaction'>;
type Change = ServiceRequest<'addWebhook' | 'changeWebhook' | 'removeWebhook' | 'rotateWebhookSecret'>;

/** Milliseconds for which the previous secret also signs. */
const bothValidFor = 24 * 3_600_000;

const notFound = (): ProblemError => new ProblemError('not_found', { detail: 'We can’t find this webhook.' });

/** A webhook's fields for the history; never a secret. */
const shown = ({ url, kinds, enabled }: Pick<WebhookRecord, 'url' | 'kinds' | 'enabled'>) => ({
  url,
  kinds: kinds.join(', '),
  enabled,
});

/** A webhook with its new secret, which only the receiver stores in plain text. */
export interface WebhookWithSecret {
  readonly webhook: WebhookRecord;
  readonly secret: string;
}

/**
 * @throws ProblemError validation_failed for an address that isn't public; duplicate for one that already has a webhook
 */
export async function addWebhook(context: Context, request: ServiceRequest<'addWebhook'>): Promise<WebhookWithSecret> {
  const { url, kinds } = request.body;
  if (!context.settings.WEBHOOK_PRIVATE) await assertPublicAddress(url);
  const _id = new ObjectId();
  const { secret, sealed } = makeSecret(context, { _id });
  const webhook: WebhookRecord = {
    _id,
    url,
    kinds,
    enabled: true,
    secrets: [{ value: sealed }],
    createdAt: new Date(),
  };
  await oncePerAddress(() =>
    context.inTransaction(async (session) => {
      await webhooksOf(context).insertOne(webhook, { session });
      await note(context, session, request, webhook._id, {
        action: 'webhook added',
        before: null,
        after: shown(webhook),
      });
    }),
  );
  return { webhook, secret };
}

/** @throws ProblemError not_found; validation_failed; duplicate */
export async function changeWebhook(
  context: Context,
  request: ServiceRequest<'changeWebhook'>,
): Promise<WebhookRecord> {
  const { url, kinds, enabled } = request.body;
  const _id = new ObjectId(request.params.id);
  if (url !== undefined && !context.settings.WEBHOOK_PRIVATE) await assertPublicAddress(url);
  const changes = {
    ...(url !== undefined && { url }),
    ...(kinds !== undefined && { kinds }),
    ...(enabled !== undefined && { enabled }),
  };
  return oncePerAddress(() =>
    context.inTransaction(async (session) => {
      const before = await webhooksOf(context).findOne({ _id }, { session });
      if (!before) throw notFound();
      const after = { ...before, ...changes };
      if (isDeepStrictEqual(after, before)) return before;
      await webhooksOf(context).updateOne({ _id }, { $set: changes }, { session });
      await note(context, session, request, _id, {
        action: 'webhook changed',
        before: shown(before),
        after: shown(after),
      });
      return after;
    }),
  );
}

/** Removes a webhook with its deliveries. @throws ProblemError not_found */
export async function removeWebhook(context: Context, request: ServiceRequest<'removeWebhook'>): Promise<void> {
  const _id = new ObjectId(request.params.id);
  await context.inTransaction(async (session) => {
    const before = await webhooksOf(context).findOneAndDelete({ _id }, { session });
    if (!before) throw notFound();
    await note(context, session, request, _id, { action: 'webhook removed', before: shown(before), after: {} });
  });
  // Outside the transaction, as there may be many. Any that remain are never sent without their webhook.
  await deliveriesOf(context).deleteMany({ webhook: _id });
}

/**
 * Gives a webhook a new secret. The previous one also signs for a day; earlier ones end now.
 *
 * @throws ProblemError not_found
 */
export async function rotateSecret(
  context: Context,
  request: ServiceRequest<'rotateWebhookSecret'>,
): Promise<WebhookWithSecret> {
  const _id = new ObjectId(request.params.id);
  return context.inTransaction(async (session) => {
    const before = await webhooksOf(context).findOne({ _id }, { session });
    if (!before) throw notFound();
    const until = new Date(Date.now() + bothValidFor);
    const { secret, sealed } = makeSecret(context, { _id });
    const current = before.secrets.filter((one) => one.until === undefined);
    const secrets = [{ value: sealed }, ...current.map(({ value }) => ({ value, until }))];
    await webhooksOf(context).updateOne({ _id }, { $set: { secrets } }, { session });
    await note(context, session, request, _id, { action: 'webhook secret changed', before: {}, after: {} });
    return { webhook: { ...before, secrets }, secret };
  });
}

const changesOfDay: DailyAct = { act: 'webhook-changes', most: 100, done: 'changed webhooks' };

async function note(
  context: Context,
  session: ClientSession,
  { call, caller, requestId }: Change,
  id: ObjectId,
  change: Pick<Parameters<typeof appendEvent>[2], 'action' | 'before' | 'after'>,
): Promise<void> {
  await countToday(context, session, caller.id, changesOfDay);
  const record = { type: 'webhook', id: id.toHexString() };
  await appendEvent(context, session, { call, caller, requestId, record, ...change });
}

async function oncePerAddress<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new ProblemError('duplicate', {
      detail: 'There’s already a webhook with this address. Change that one, or enter another address.',
      cause: error,
    });
  }
}
