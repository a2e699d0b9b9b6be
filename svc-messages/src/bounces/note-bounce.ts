import { ProblemError, signedBody, type Handler } from '@clinic/service-kit';
import { Webhook } from 'standardwebhooks';
import { undeliverableOf } from '../delivery/undeliverable.ts';
import type { MessagesContext } from '../settings.ts';

/**
 * Stores the mail provider's report about an address, signed as Standard Webhooks describes: after a permanent bounce
 * or a complaint nothing more is sent there. A repeated report changes nothing.
 */
export function noteBounce(context: MessagesContext): Handler<'noteBounce'> {
  const { BOUNCE_SECRET: secret } = context.settings;
  const webhook = secret === undefined ? undefined : new Webhook(secret);
  return async ({ body: { type, data }, req }) => {
    if (!webhook) throw new ProblemError('not_found', { detail: 'This clinic doesn’t take reports of bounces.' });
    try {
      webhook.verify(signedBody(req), headersOf(req.headers), { jsonParse: false });
    } catch (error) {
      throw new ProblemError('unauthenticated', { detail: 'The signature isn’t valid, or too old.', cause: error });
    }
    // A temporary bounce, such as a full mailbox, doesn't count.
    if (type === 'email.bounced' && data.permanent === false) return;
    const at = new Date();
    // A complaint weighs more than a bounce, whichever comes first.
    await undeliverableOf(context).updateOne(
      { _id: data.email },
      type === 'email.complained'
        ? { $set: { why: 'complained' }, $setOnInsert: { at } }
        : { $setOnInsert: { at, why: 'bounced' } },
      { upsert: true },
    );
  };
}

const headersOf = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
      name,
      [headers[name] ?? ''].flat().join(' '),
    ]),
  );
