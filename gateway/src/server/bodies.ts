import type { ServerResponse } from 'node:http';
import type { GatewayRequest } from './gateway-request.ts';

/** The bytes of a body, `too large`, or `gone` if the client left before it was complete. */
export type BodyOutcome = Buffer | 'too large' | 'gone';

/** Whether a request has a body (RFC 9112, section 6.3). */
export function hasBody({ headers }: GatewayRequest): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Buffers a body before it is forwarded: a slow upload costs the service nothing, one that is too large or breaks off
 * never reaches it, and a complete one can be retried if nothing was listening. Bodies are small here.
 *
 * @param limit - maximum size, in bytes
 * @param done - called once
 */
export function bufferBody(
  req: GatewayRequest,
  res: ServerResponse,
  limit: number,
  done: (outcome: BodyOutcome) => void,
): void {
  if (Number(req.headers['content-length'] ?? 0) > limit) return done('too large');
  if (req.expectsContinue) res.writeContinue();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const finish = (outcome: BodyOutcome): void => {
    req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
    done(outcome);
  };
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > limit) return finish('too large');
    chunks.push(chunk);
  };
  const onEnd = (): void => finish(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
  const onClose = (): void => finish('gone');
  req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
}
