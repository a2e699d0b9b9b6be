import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayRequest } from '../server/gateway-request.ts';
import { commonHeaders } from '../proxy/headers.ts';

// Each front-end is deployed by its own team, and its server only serves public files. So it must learn nothing about
// visitors and set no policy for the site: only the fields listed here pass, in either direction.

/**
 * What is needed to select and cache a file. Deliberately missing: cookies, credentials, and Referer, which names the
 * visitor's page.
 */
const requestFields = [
  'host',
  'accept',
  'accept-encoding',
  'if-none-match',
  'if-modified-since',
  'if-range',
  'range',
  'traceparent',
  'tracestate',
] as const;

/** What describes a file. Deliberately missing: cookies, redirects, and any field that sets a policy for the site. */
const responseFields = new Set([
  'accept-ranges',
  'access-control-allow-origin',
  'age',
  'cache-control',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'cross-origin-resource-policy',
  'date',
  'etag',
  'expires',
  'last-modified',
  'sourcemap',
  'transfer-encoding',
  'vary',
]);

/** Fields that pass only with these harmless values. */
const onlyValues: Readonly<Record<string, ReadonlySet<string>>> = {
  // Public, and therefore without credentials (https://fetch.spec.whatwg.org/#cors-protocol-and-credentials).
  'access-control-allow-origin': new Set(['*']),
  'cross-origin-resource-policy': new Set(['same-origin', 'cross-origin']),
};

/** A source map beside its script; only a developer's file server has one. */
const mapBeside = /^[\w.~-]+\.js\.map$/;

/** A file opened as a page has the clinic's origin, so it may not run scripts, load anything or submit forms. */
const contentSecurityPolicy =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

const imposed = commonHeaders.filter(
  ([name]) => name !== 'cross-origin-resource-policy' && name !== 'content-security-policy',
);

/** Request headers sent to a front-end's file server. */
export function fileRequestHeaders({ headers: given, requestId }: GatewayRequest): IncomingHttpHeaders {
  const headers: Record<string, string | string[] | undefined> = { 'x-request-id': requestId };
  for (const name of requestFields) if (given[name] !== undefined) headers[name] = given[name];
  return headers;
}

/**
 * Response headers sent to the visitor with a front-end's file.
 *
 * @returns flat array of alternating names and values
 */
export function fileAnswerHeaders(
  { rawHeaders, statusCode }: Pick<IncomingMessage, 'rawHeaders' | 'statusCode'>,
  res: ServerResponse,
  req: GatewayRequest,
): string[] {
  const headers = [
    'x-request-id',
    req.requestId,
    'connection',
    res.shouldKeepAlive ? 'keep-alive' : 'close',
    'content-security-policy',
    contentSecurityPolicy,
  ];
  // 204 and 304 have no body (RFC 9112, section 6.1), and HTTP/1.0 has no chunked encoding.
  const chunksAllowed = statusCode !== 204 && statusCode !== 304 && req.httpVersion !== '1.0';
  let sharing = 'same-origin';
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    const value = rawHeaders[i + 1] ?? '';
    if (!responseFields.has(name) || (name === 'transfer-encoding' && !chunksAllowed)) continue;
    if (onlyValues[name]?.has(value) === false) continue;
    if (name === 'sourcemap' && !mapBeside.test(value)) continue;
    if (name === 'cross-origin-resource-policy') sharing = value;
    else headers.push(name, value);
  }
  headers.push('cross-origin-resource-policy', sharing);
  for (const [name, value] of imposed) headers.push(name, value);
  const { strictTransport } = req.origin;
  if (strictTransport !== undefined) headers.push('strict-transport-security', strictTransport);
  return headers;
}
