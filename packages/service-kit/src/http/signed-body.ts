import type { IncomingMessage } from 'node:http';

const bodies = new WeakMap<IncomingMessage, Buffer>();

/** Keeps a body as it arrived: a signature covers its bytes, not what they mean. For express.json's `verify`. */
export function keepBody(request: IncomingMessage, _response: unknown, body: Buffer): void {
  bodies.set(request, body);
}

/** The body of a `signed` call as it arrived; empty if it had none. */
export function signedBody(request: IncomingMessage): Buffer {
  return bodies.get(request) ?? Buffer.alloc(0);
}
