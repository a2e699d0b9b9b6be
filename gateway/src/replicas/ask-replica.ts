import { gatewayAgent } from '@clinic/graceful-server';
import { isUnreachable } from './network-errors.ts';
import type { Replica } from './replica.ts';

/** Milliseconds that an answer may take; a service may wait two seconds for its database before it says that it is not ready. */
const answerWithin = 3_000;

/** Most bytes of an answer. */
const mostBytes = 1024 * 1024;

/** What a question of our own led to. */
export type ReplicaAnswer = { readonly status: number; readonly text: string } | 'refused' | 'silent';

/** Asks one replica something on our own behalf, over a connection that is kept for that. */
export async function askReplica(replica: Replica, path: string): Promise<ReplicaAnswer> {
  try {
    const { statusCode, body } = await replica.control.request({
      path, method: 'GET', headers: { 'user-agent': gatewayAgent, accept: 'application/json' }, signal: AbortSignal.timeout(answerWithin),
    });
    let text = '';
    for await (const chunk of body.setEncoding('utf8')) {
      text += chunk as string;
      if (text.length > mostBytes) throw new Error('the answer is too long');
    }
    return { status: statusCode, text };
  } catch (error) {
    return isUnreachable(error) ? 'refused' : 'silent';
  }
}
