import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A response that was read in full. */
export interface CollectedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** `slow` after a timeout, when waiting longer is pointless; `undefined` if no response came or it is too long. */
export type Collected = CollectedAnswer | 'slow' | undefined;

/** Gets the response to a request on behalf of several clients. Called once. */
export type Collect = (outcome: Collected) => void;

/** Longer responses aren't collected: keeping them would use too much memory. */
const maxBytes = 256 * 1024;

/** Reads a response to its end, even if it is too long, so that its connection can be used again. */
export function collect(incoming: IncomingMessage, done: Collect): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
  });
  incoming.on('end', () => {
    const { statusCode: status = 0, headers } = incoming;
    done(bytes <= maxBytes ? { status, headers, body: Buffer.concat(chunks) } : undefined);
  });
}
