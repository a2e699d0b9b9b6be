import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeader } from 'node:http';
import type { GatewayRequest } from '../server/gateway-request.ts';
import { responseHeaders } from '../proxy/headers.ts';

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

const any = /^/;

/**
 * What describes a file, with the values that pass if not all do. Deliberately missing: cookies, redirects, and any field that
 * sets a policy for the site.
 */
const responseFields: Readonly<Record<string, RegExp>> = {
  'accept-ranges': any,
  // Public, and therefore without credentials (https://fetch.spec.whatwg.org/#cors-protocol-and-credentials).
  'access-control-allow-origin': /^\*$/,
  age: any,
  'cache-control': any,
  'content-encoding': any,
  'content-length': any,
  'content-range': any,
  'content-type': any,
  'cross-origin-resource-policy': /^(?:same|cross)-origin$/,
  date: any,
  etag: any,
  expires: any,
  'last-modified': any,
  // Beside its script; only a developer's file server has one.
  sourcemap: /^[\w.~-]+\.js\.map$/,
  vary: any,
};

/** A file opened as a page has the clinic's origin, so it may not run scripts, load anything or submit forms. */
const contentSecurityPolicy =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/** Request headers sent to a front-end's file server. */
export function fileRequestHeaders({ headers: given, requestId }: GatewayRequest): IncomingHttpHeaders {
  const headers: Record<string, string | string[] | undefined> = { 'x-request-id': requestId };
  for (const name of requestFields) if (given[name] !== undefined) headers[name] = given[name];
  return headers;
}

/** Response headers sent to the visitor with a front-end's file. */
export function fileResponseHeaders(
  { headers }: Pick<IncomingMessage, 'headers'>,
  req: GatewayRequest,
): OutgoingHttpHeader[] {
  const kept: IncomingHttpHeaders = { 'content-security-policy': contentSecurityPolicy };
  for (const name in headers) if (responseFields[name]?.test(String(headers[name]))) kept[name] = headers[name];
  return responseHeaders({ headers: kept }, req);
}
