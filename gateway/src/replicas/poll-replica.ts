import { gatewayAgent } from '@clinic/graceful-server';
import { httpGet } from './http-get.ts';
import { isUnreachable } from './network-errors.ts';
import type { Replica } from './replica.ts';

/** Timeout in milliseconds; a service may wait two seconds for its database before it reports not ready. */
const withinMs = 3_000;

const headers = { 'user-agent': gatewayAgent, accept: 'application/json' };

/** Outcome of one of the gateway's own requests. */
export type PollOutcome = { readonly status: number; readonly text: string } | 'refused' | 'silent';

/** Sends one of the gateway's own requests to a replica, over its reserved connection. */
export async function pollReplica({ target, control }: Replica, path: string): Promise<PollOutcome> {
  try {
    return await httpGet({ ...target, path, agent: control, headers, withinMs });
  } catch (error) {
    return isUnreachable(error) ? 'refused' : 'silent';
  }
}
