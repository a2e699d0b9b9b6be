import { type Handler, ProblemError, readPage, refused } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import type { MessagesContext } from '../settings.ts';
import { addWebhook, changeWebhook, removeWebhook, rotateSecret, type WebhookWithSecret } from './change-webhooks.ts';
import { deliveriesOf, toDelivery, toWebhook, webhooksOf } from './webhook-record.ts';

const sorts = { newest: { createdAt: -1, _id: -1 } } as const;

/**
 * Handlers of the calls about webhooks.
 *
 * @param wake - called when a delivery is due
 */
export function webhookHandlers(context: MessagesContext, wake: () => void) {
  const withSecret = ({ webhook, secret }: WebhookWithSecret) => ({ ...toWebhook(webhook), secret });

  const listWebhooks: Handler<'listWebhooks'> = ({ query }) =>
    readPage(webhooksOf(context), { filter: {}, query, sorts, defaultSort: 'newest', map: toWebhook });

  const listWebhookDeliveries: Handler<'listWebhookDeliveries'> = async ({ params, query }) => {
    const webhook = new ObjectId(params.id);
    if (!(await webhooksOf(context).findOne({ _id: webhook }, { projection: { _id: 1 } })))
      throw new ProblemError('not_found', { detail: 'We can’t find this webhook.' });
    const filter = { webhook, ...(query.status && { status: query.status }) };
    return readPage(deliveriesOf(context), { filter, query, sorts, defaultSort: 'newest', map: toDelivery });
  };

  const replayWebhookDelivery: Handler<'replayWebhookDelivery'> = async ({ params }) => {
    const _id = new ObjectId(params.id);
    const again = await deliveriesOf(context).findOneAndUpdate(
      { _id, status: { $ne: 'pending' } },
      { $set: { status: 'pending', attempts: 0, nextAttemptAt: new Date() }, $unset: { endedAt: '', lease: '' } },
      { returnDocument: 'after' },
    );
    if (!again) {
      const found = await deliveriesOf(context).findOne({ _id });
      if (!found) throw new ProblemError('not_found', { detail: 'We can’t find this delivery.' });
      throw refused('This event is already waiting to be delivered.');
    }
    wake();
    return toDelivery(again);
  };

  return {
    listWebhooks,
    listWebhookDeliveries,
    replayWebhookDelivery,
    addWebhook: (async (request) => withSecret(await addWebhook(context, request))) satisfies Handler<'addWebhook'>,
    changeWebhook: (async (request) =>
      toWebhook(await changeWebhook(context, request))) satisfies Handler<'changeWebhook'>,
    removeWebhook: (async (request): Promise<undefined> => {
      await removeWebhook(context, request);
    }) satisfies Handler<'removeWebhook'>,
    rotateWebhookSecret: (async (request) =>
      withSecret(await rotateSecret(context, request))) satisfies Handler<'rotateWebhookSecret'>,
  };
}
