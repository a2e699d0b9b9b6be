import type { ServerResponse } from 'node:http';
import type { ProblemCode } from '@clinic/contracts/problems';
import { sendProblem } from './answers.ts';
import type { GatewayRequest } from './gateway-request.ts';

/** What an upstream could read as a different path: dot segments, encoded slashes, backslashes, NUL. */
const trickyPath = /%2f|%5c|%00|\\|(?:^|\/)(?:\.|%2e){1,2}(?:;[^/]*)?(?:\/|$)/i;

/** Maximum length of an address: upstreams have limits of their own, and none needs more. */
const mostCharacters = 8192;

/** A valid Host field: a name or address, with or without a port (RFC 9110, section 7.2). */
const plainHost = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

type Fault = readonly [code: ProblemCode, detail?: string | undefined, headers?: Record<string, string>];

/** Methods that are forwarded. TRACE would expose cookies to scripts. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The problem of a malformed request: whatever two servers could interpret differently, and what no service needs. */
export function faultOf({ pathname, url = '', method = '', headers, rawHeaders }: GatewayRequest): Fault | undefined {
  if (!pathname.startsWith('/') || trickyPath.test(pathname))
    return ['malformed_request', 'Addresses must begin with a slash, without dot segments or encoded slashes.'];
  if (url.length > mostCharacters) return ['address_too_long'];
  if (!methods.has(method)) return ['method_not_allowed', undefined, { Allow: [...methods].join(', ') }];
  const { 'transfer-encoding': coding = 'chunked', host = '', expect = '100-continue' } = headers;
  // Node reads `gzip, chunked` as chunked, and a service would take the compressed bytes for the body.
  if (coding.toLowerCase() !== 'chunked') return ['not_implemented', 'The only transfer coding is chunked.'];
  if (!plainHost.test(host) || hasTwoHosts(rawHeaders)) return ['malformed_request', 'A request must name one host.'];
  if (!/\b100-continue\b/i.test(expect)) return ['malformed_request', 'Nothing but 100-continue can be expected.'];
  return undefined;
}

/** Rejects all methods but GET and HEAD, for read-only resources. */
export function onlyReading(req: GatewayRequest, res: ServerResponse, next: () => void): void {
  if (req.method === 'GET' || req.method === 'HEAD') next();
  else sendProblem(req, res, 'method_not_allowed', undefined, { Allow: 'GET, HEAD' });
}

/** Node keeps the first of several Host fields; another server might use the last (RFC 9112, section 3.2). */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  return (
    rawHeaders.filter((field, at) => at % 2 === 0 && field.length === 4 && field.toLowerCase() === 'host').length > 1
  );
}
