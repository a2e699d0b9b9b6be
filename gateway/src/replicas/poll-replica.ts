import { request, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { once } from 'node:events';
import { gatewayAgent } from '@clinic/graceful-server';
import { isUnreachable } from './network-errors.ts';
import type { Replica } from './replica.ts';

/** Timeout in milliseconds; a service may wait two seconds for its database before it reports not ready. */
const timeoutMs = 3_000;

/** Maximum size of a response, in bytes. */
const maxBytes = 1024 * 1024;

/** Outcome of one of the gateway's own requests. */
export type PollOutcome = { readonly status: number; readonly text: string } | 'refused' | 'silent';

/** Sends one of the gateway's own requests to a replica, over a connection reserved for them. */
export async function pollReplica({ target, control }: Replica, path: string): Promise<PollOutcome> {
  const send = target.protocol === 'https:' ? secureRequest : request;
  const poll = send({
    ...target,
    path,
    agent: control,
    headers: { 'user-agent': gatewayAgent, accept: 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
  });
  // An error after the response has started also fails the response, where it is handled.
  poll.on('error', () => undefined);
  try {
    const [response] = (await once(poll.end(), 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk as string;
      if (text.length > maxBytes) throw new Error('the response is too long');
    }
    return { status: response.statusCode ?? 0, text };
  } catch (error) {
    return isUnreachable(error) ? 'refused' : 'silent';
  }
}
