import fc from 'fast-check';
import type { WholeClinic } from '../support/whole-clinic.ts';
import { RawClient } from './client.ts';
import { faultOf } from './fault-of.ts';
import { anyRequest, type FuzzRequest } from './requests.ts';
import { openWorld, signInAll } from './world.ts';
import type { OwnCallId } from '../support/every-call.ts';

/** Concurrent requests in flight. */
const atOnce = 12;

/** Batches after which everybody signs in again: access tokens live for minutes. */
const signInEvery = 10;

/** Requests generated from one seed at a time, to limit memory. */
const batchSize = 240;

export interface FuzzReport {
  readonly sent: number;
  /** A failure, with the request to send again. */
  readonly faults: readonly string[];
  readonly statuses: Readonly<Record<string, number>>;
  /** Calls with at least one request that was fully processed. */
  readonly succeeded: ReadonlySet<OwnCallId>;
}

/**
 * Sends generated requests of every call of the contracts to the clinic, through its gateway.
 *
 * @param runs - number of requests
 * @param seed - repeats the same requests, as far as the demo's records are the same
 */
export async function runFuzz(clinic: WholeClinic, runs: number, seed: number): Promise<FuzzReport> {
  const world = await openWorld(clinic);
  let { cookies } = world;
  const requests = anyRequest(world);
  const client = new RawClient(clinic.url);
  const faults: string[] = [];
  const statuses: Record<string, number> = {};
  const succeeded = new Set<OwnCallId>();

  async function send(request: FuzzRequest): Promise<void> {
    const cookie = cookies[request.persona];
    try {
      const answer = await client.send({
        ...request,
        headers: { 'sec-fetch-site': 'same-origin', ...(cookie !== '' && { cookie }), ...request.headers },
      });
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      if (answer.status < 300 && !request.strayed) succeeded.add(request.call);
      const fault = faultOf(request, answer);
      if (fault !== undefined)
        faults.push(`${describe(request)}\n    ${fault}\n    ${answer.body.subarray(0, 600).toString()}`);
    } catch (error) {
      faults.push(`${describe(request)}\n    ${String(error)}`);
    }
  }

  let sent = 0;
  for (let batch = 0; sent < runs; batch += 1) {
    if (batch % signInEvery === signInEvery - 1) cookies = await signInAll(clinic);
    const queue = fc.sample(requests, { seed: seed + batch, numRuns: Math.min(batchSize, runs - sent) });
    sent += queue.length;
    const worker = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) await send(next);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }
  client.close();
  return { sent, faults, statuses, succeeded };
}

function describe({ call, persona, method, target, headers, body }: FuzzRequest): string {
  const headerText = Object.keys(headers).length > 0 ? ` ${JSON.stringify(headers)}` : '';
  const sent = body ? ` ${body.length} bytes ${JSON.stringify(body.subarray(0, 400).toString())}` : '';
  return `${call} as ${persona}: ${method} ${target.slice(0, 400)}${headerText.slice(0, 300)}${sent}`;
}
