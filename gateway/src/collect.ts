import type { IncomingHttpHeaders } from 'node:http';
import type { GatewayRequest } from './gateway-request.ts';
import { isUnreachable } from './replicas/network-errors.ts';
import type { Replica } from './replicas/replica.ts';

/** An answer that was read whole. */
export interface CollectedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Asks a replica in the name of everybody: without what makes a request somebody's own.
 *
 * @param maxBytes - longer answers are not read to their end
 * @returns nothing where the answer is too long, or none came: the ordinary way knows how to go on; `slow` when waiting any longer is no use
 */
export async function collectFrom(replica: Replica, path: string, asked: GatewayRequest, maxBytes: number, withinMs: number): Promise<CollectedAnswer | 'slow' | undefined> {
  // Nothing of who asked first may colour what all get.
  const headers = { 'x-request-id': asked.requestId, 'x-forwarded-proto': asked.headers['x-forwarded-proto'], accept: 'application/json' };
  replica.inFlight += 1;
  try {
    const answer = await replica.calls.request({ path, method: 'GET', headers, signal: AbortSignal.timeout(withinMs) });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > maxBytes) return undefined;
    }
    replica.breaker.succeeded();
    return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) };
  } catch (error) {
    // Where nobody listens the ordinary way finds out by itself.
    if (!isUnreachable(error)) replica.breaker.failed(performance.now());
    return error instanceof DOMException && error.name === 'TimeoutError' ? 'slow' : undefined;
  } finally {
    replica.breaker.abandonTrial();
    replica.inFlight -= 1;
  }
}
