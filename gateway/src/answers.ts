import type { ServerResponse } from 'node:http';
import { problemKinds, type Problem, type ProblemCode } from '@clinic/contracts/problems';
import type { GatewayRequest } from './gateway-request.ts';
import { setCommonHeaders } from './headers.ts';

/** Seconds that clients are told to wait when a part is away. */
const retryAfter = '2';

/** Answers with a problem (RFC 9457), or cuts the connection when an answer is under way already. */
export function sendProblem(req: GatewayRequest, res: ServerResponse, code: ProblemCode, detail?: string, headers: Record<string, string> = {}): void {
  const { status, title } = problemKinds[code];
  const body: Problem = { type: `/problems/${code}`, title, status, code, detail, requestId: req.requestId };
  send(req, res, status, 'application/problem+json', JSON.stringify(body), { ...(status === 503 && { 'Retry-After': retryAfter }), ...headers });
}

/** Answers with plain text, or cuts the connection when an answer is under way already. */
export function sendText(req: GatewayRequest, res: ServerResponse, status: number, text: string): void {
  send(req, res, status, 'text/plain; charset=utf-8', `${text}\n`, status === 503 ? { 'Retry-After': retryAfter } : {});
}

function send(req: GatewayRequest, res: ServerResponse, status: number, type: string, body: string, headers: Record<string, string>): void {
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  const all = { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body), 'Cache-Control': 'no-store', ...headers };
  setCommonHeaders(res, req);
  res.writeHead(status, all);
  // A body that nobody reads would keep the connection from its next request.
  req.resume();
  res.end(req.method === 'HEAD' ? undefined : body);
}
