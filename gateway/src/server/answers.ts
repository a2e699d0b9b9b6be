import type { ServerResponse } from 'node:http';
import { problemKinds, type Problem, type ProblemCode } from '@clinic/contracts/problems';
import type { GatewayRequest } from './gateway-request.ts';
import { setCommonHeaders } from './common-headers.ts';

/** Set by the balancer on a GET that it can ask of another gateway (docker/balancer/haproxy.cfg). */
export const askElsewhereHeader = 'clinic-ask-elsewhere';

/** Default Retry-After, in seconds. */
const retryAfter = '2';

/**
 * How much of an unwanted body we discard, in bytes and milliseconds: a client that is still writing wouldn't see the
 * response.
 */
const lingerBytes = 1024 * 1024;
const lingerMs = 2_000;

/**
 * Status for an address that nobody has here. To the balancer it is 425, which it retries and shows to nobody: another
 * gateway may know a domain that was added just now. A 404 of a service or a front-end's server would be the same there.
 */
export function unknownStatus({ headers }: GatewayRequest): 404 | 425 {
  return headers[askElsewhereHeader] === undefined ? 404 : 425;
}

/** Answers a request for an address that nobody has here. */
export function sendUnknown(req: GatewayRequest, res: ServerResponse): void {
  send(req, res, unknownStatus(req), problemType, problemText('not_found', undefined, req.requestId), {});
}

/** Sends a problem (RFC 9457), or drops the connection if a response has already started. */
export function sendProblem(
  req: GatewayRequest,
  res: ServerResponse,
  code: ProblemCode,
  detail?: string,
  headers: Record<string, string> = {},
): void {
  const { status } = problemKinds[code];
  send(req, res, status, problemType, problemText(code, detail, req.requestId), {
    ...(status === 503 && { 'Retry-After': retryAfter }),
    ...headers,
  });
}

export const problemType = 'application/problem+json';

/** A problem's body. */
export function problemText(code: ProblemCode, detail?: string, requestId?: string): string {
  const { status, title } = problemKinds[code];
  return JSON.stringify({ type: `/problems/${code}`, title, status, code, detail, requestId } satisfies Problem);
}

/** Sends plain text, or drops the connection if a response has already started. */
export function sendText(req: GatewayRequest, res: ServerResponse, status: number, text: string): void {
  send(req, res, status, 'text/plain; charset=utf-8', `${text}\n`, status === 503 ? { 'Retry-After': retryAfter } : {});
}

function send(
  req: GatewayRequest,
  res: ServerResponse,
  status: number,
  type: string,
  text: string,
  headers: Record<string, string>,
): void {
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  const body = Buffer.from(text);
  const all: Record<string, string | number> = {
    'Content-Type': type,
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    ...headers,
  };
  setCommonHeaders(res, req);
  if (isSmall(req)) {
    res.writeHead(status, all);
    // An unread body would block the connection's next request.
    req.resume();
    res.end(req.method === 'HEAD' ? undefined : body);
    return;
  }
  res.writeHead(status, { ...all, Connection: 'close' });
  if (req.method === 'HEAD') res.flushHeaders();
  else res.write(body);
  linger(req, res);
}

/** Whether the rest of the request is small enough to just discard. */
function isSmall(req: GatewayRequest): boolean {
  if (req.complete) return true;
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers;
  return encoding === undefined && !req.expectsContinue && Number(length ?? 0) <= 64 * 1024;
}

/**
 * Closes a connection whose client may still be writing. If we closed at once, unread bytes would make the kernel reset
 * it, and the client might never read the response (RFC 9112, section 9.6).
 */
function linger(req: GatewayRequest, res: ServerResponse): void {
  let bytes = 0;
  const end = (): void => {
    clearTimeout(timer);
    req.off('data', onData).off('end', end).off('close', end);
    res.end();
  };
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > lingerBytes) end();
  };
  const timer = setTimeout(end, lingerMs);
  req.on('data', onData).on('end', end).on('close', end).resume();
}
