import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { hostOf, isPublic, NotPublicError, publicLookup } from './public-address.ts';
import type { DeliveryRecord } from './webhook-record.ts';

/** Time limit of an attempt, milliseconds. */
export const postTimeout = 15_000;

/**
 * Sends an event, signed with every secret (Standard Webhooks, version 1). Follows no redirect, and never connects to a
 * private address, whatever the name resolves to now.
 *
 * @param allowPrivate - allow private addresses, for tests and development
 * @returns the HTTP status of the response
 * @throws Error if there was no response in time
 */
export function postEvent(
  { url, secrets }: { readonly url: string; readonly secrets: readonly string[] },
  { event, body }: Pick<DeliveryRecord, 'event' | 'body'>,
  allowPrivate: boolean,
): Promise<number> {
  const now = new Date();
  const signatures = secrets.map((secret) => new Webhook(secret).sign(event, now, body));
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  const host = hostOf(url);
  return new Promise((resolve, reject) => {
    // Connections to an IP address look nothing up.
    if (!allowPrivate && isIP(host) !== 0 && !isPublic(host)) throw new NotPublicError(host);
    const request = send(url, {
      method: 'POST',
      agent: false,
      ...(!allowPrivate && { lookup: publicLookup }),
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
      // Only the status matters; the body may be of any length.
      response.destroy();
      resolve(response.statusCode ?? 0);
    });
    request.once('error', reject);
    request.end(body);
  });
}
