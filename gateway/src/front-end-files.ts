import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayRequest } from './gateway-request.ts';
import { commonHeaders, strictTransport } from './headers.ts';

// A front-end is deployed by its own team, and its server sends nothing but public files. So it learns nothing about who
// asks, and decides nothing about the site: both ways only the fields listed here pass.

/** What choosing and caching a file needs. Not among them: cookies, credentials, and Referer with the visitor's page. */
const askedWith = [
  'host', 'accept', 'accept-encoding', 'if-none-match', 'if-modified-since', 'if-range', 'range', 'x-request-id', 'traceparent', 'tracestate',
] as const;

/** What a file says about itself. Not among them: cookies, redirects, and every field that sets a policy for the site. */
const answeredWith = new Set([
  'accept-ranges', 'access-control-allow-origin', 'age', 'cache-control', 'content-encoding', 'content-length', 'content-range', 'content-type', 'cross-origin-resource-policy',
  'date', 'etag', 'expires', 'last-modified', 'transfer-encoding', 'vary',
]);

/** For the few fields whose value could do harm: the values that can't. */
const onlyValues: Readonly<Record<string, ReadonlySet<string>>> = {
  // Public to everybody, and so without credentials (https://fetch.spec.whatwg.org/#cors-protocol-and-credentials).
  'access-control-allow-origin': new Set(['*']),
  'cross-origin-resource-policy': new Set(['same-origin', 'cross-origin']),
};

/** A file opened as a page runs nothing, loads nothing and sends no form: it stands on the clinic's own address. */
const contentSecurityPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

const imposed = commonHeaders.filter(([name]) => name !== 'cross-origin-resource-policy' && name !== 'content-security-policy');

/** The headers with which a front-end's server is asked for a file. */
export function fileRequestHeaders(given: IncomingHttpHeaders): IncomingHttpHeaders {
  const headers: Record<string, string | string[] | undefined> = {};
  for (const name of askedWith) if (given[name] !== undefined) headers[name] = given[name];
  return headers;
}

/**
 * The headers with which a front-end's file is sent to the visitor.
 *
 * @returns flat array of names and values
 */
export function fileAnswerHeaders({ rawHeaders, statusCode }: Pick<IncomingMessage, 'rawHeaders' | 'statusCode'>, res: ServerResponse, req: GatewayRequest): string[] {
  const headers = ['x-request-id', req.requestId, 'connection', res.shouldKeepAlive ? 'keep-alive' : 'close', 'content-security-policy', contentSecurityPolicy];
  // 204 and 304 have no body (RFC 9112, section 6.1), and HTTP/1.0 has no chunks.
  const chunksAllowed = statusCode !== 204 && statusCode !== 304 && req.httpVersion !== '1.0';
  let sharing = 'same-origin';
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    const value = rawHeaders[i + 1] ?? '';
    if (!answeredWith.has(name) || (name === 'transfer-encoding' && !chunksAllowed)) continue;
    if (onlyValues[name]?.has(value) === false) continue;
    if (name === 'cross-origin-resource-policy') sharing = value;
    else headers.push(name, value);
  }
  headers.push('cross-origin-resource-policy', sharing);
  for (const [name, value] of imposed) headers.push(name, value);
  if (req.headers['x-forwarded-proto'] === 'https') headers.push('strict-transport-security', strictTransport);
  return headers;
}
