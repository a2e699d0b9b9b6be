import { gatewayAgent } from '@clinic/graceful-server';
import { isUnreachable } from './network-errors.ts';
import type { Replica } from './replica.ts';

/** Timeout in milliseconds; a service may wait two seconds for its database before it reports not ready. */
const answerWithin = 3_000;

/** Maximum size of a response, in bytes. */
const mostBytes = 1024 * 1024;

/** Outcome of one of the gateway's own requests. */
export type ReplicaAnswer = { readonly status: number; readonly text: string } | 'refused' | 'silent';

/** Sends one of the gateway's own requests to a replica, over a connection reserved for them. */
export async function askReplica(replica: Replica, path: string): Promise<ReplicaAnswer> {
  try {
    const { statusCode, body } = await replica.control.request({
      path,
      method: 'GET',
      headers: { 'user-agent': gatewayAgent, accept: 'application/json' },
      signal: AbortSignal.timeout(answerWithin),
    });
    let text = '';
    for await (const chunk of body.setEncoding('utf8')) {
      text += chunk as string;
      if (text.length > mostBytes) throw new Error('the response is too long');
    }
    return { status: statusCode, text };
  } catch (error) {
    return isUnreachable(error) ? 'refused' : 'silent';
  }
}
