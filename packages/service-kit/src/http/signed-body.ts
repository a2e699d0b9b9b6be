import type { IncomingMessage } from 'node:http';

/** By request: express.json passes its `verify` nothing else that the handler has, too. */
const bodies = new WeakMap<IncomingMessage, Buffer>();

/** Keeps a body's bytes, which a signature covers. For `verify` of express.json. */
export function keepBody(request: IncomingMessage, _response: unknown, body: Buffer): void {
  bodies.set(request, body);
}

/** The body of a `signed` call, as bytes; empty if it had none. */
export function signedBody(request: IncomingMessage): Buffer {
  return bodies.get(request) ?? Buffer.alloc(0);
}
