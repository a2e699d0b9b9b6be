import type { IncomingHttpHeaders } from 'node:http';
import type { GatewayRequest } from './gateway-request.ts';
import { isUnreachable } from '../replicas/network-errors.ts';
import type { Replica } from '../replicas/replica.ts';

/** A response that was read in full. */
export interface CollectedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Requests something on behalf of every visitor, without any header that identifies one of them.
 *
 * @param maxBytes - longer responses are abandoned
 * @returns `undefined` if the response is too long or none came, so that the caller forwards the request as usual; `slow` after a timeout, when waiting longer is pointless
 */
export async function collectFrom(
  replica: Replica,
  path: string,
  asked: GatewayRequest,
  maxBytes: number,
  withinMs: number,
): Promise<CollectedAnswer | 'slow' | undefined> {
  // Headers of the first visitor must not influence the response everyone gets.
  const headers = {
    'x-request-id': asked.requestId,
    'x-forwarded-proto': asked.headers['x-forwarded-proto'],
    accept: 'application/json',
  };
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
    // If nothing is listening, normal forwarding finds out by itself.
    if (!isUnreachable(error)) replica.breaker.failed(performance.now());
    return error instanceof DOMException && error.name === 'TimeoutError' ? 'slow' : undefined;
  } finally {
    replica.breaker.abandonTrial();
    replica.inFlight -= 1;
  }
}
