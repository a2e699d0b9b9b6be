import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { useAgent } from 'request-filtering-agent';
import { Webhook } from 'standardwebhooks';
import type { DeliveryRecord } from './webhook-record.ts';

/** Milliseconds for one attempt. */
export const postTimeout = 15_000;

/**
 * Sends an event, signed by every secret (Standard Webhooks, version 1). Follows no redirect, and connects to no
 * private address, whatever the name leads to by now.
 *
 * @param allowPrivate - also to private addresses, for tests and development
 * @returns the HTTP status of the answer
 * @throws Error if there was no answer in time
 */
export function postEvent(
  { url, secrets }: { readonly url: string; readonly secrets: readonly string[] },
  { event, body }: Pick<DeliveryRecord, 'event' | 'body'>,
  allowPrivate: boolean,
): Promise<number> {
  const now = new Date();
  const signatures = secrets.map((secret) => new Webhook(secret).sign(event, now, body));
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method: 'POST',
      agent: useAgent(url, { keepAlive: false, allowPrivateIPAddress: allowPrivate }),
      signal: AbortSignal.timeout(postTimeout),
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        'User-Agent': 'clinic-webhooks/1',
        'webhook-id': event,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': signatures.join(' '),
      },
    });
    request.once('response', (response) => {
      // Only the status counts; the rest may be of any length.
      response.destroy();
      resolve(response.statusCode ?? 0);
    });
    request.once('error', reject);
    request.end(body);
  });
}
