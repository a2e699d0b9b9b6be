import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { audiencesHeader } from '@clinic/service-kit/session-bundle';
import type { GatewayRequest } from './gateway-request.ts';
import { cookiesFor } from './session-cookie.ts';

/**
 * Hop-by-hop fields (RFC 9110, section 7.6.1), fields that only a proxy in front of us may set, and those that belong
 * to the body as it arrived: it is forwarded whole, with its length.
 */
const notForwarded = new Set([
  'content-length',
  'transfer-encoding',
  'expect',
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'proxy-authenticate',
  'te',
  'trailer',
  'upgrade',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  audiencesHeader,
]);

const notReturned = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'trailer',
  'upgrade',
  'server',
  'x-powered-by',
  'x-request-id',
  'strict-transport-security',
]);

/** Defaults for every response; the upstream's own values win. Constants, because helmet costs six times as much. */
const everywhere = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  // Not `same-origin`, which would break the Google sign-in popup.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  // Other sites may not embed anything of ours; build files override this themselves.
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
  // For responses that aren't pages: they can't load anything or be framed.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/** Headers that every response has. */
export const commonHeaders = Object.entries(everywhere);

export interface PagePolicyOptions {
  /** Host that opens the Google sign-in window with a real Firebase project; none with the emulator. */
  readonly authDomain?: string;
  /** Allow scripts from servers on the developer's own machine. */
  readonly allowLocal?: boolean;
  /** Names of the remotes: each one's loader has a Trusted Types policy with that name. */
  readonly remotes?: readonly string[];
  /** Whether browsers block plain strings used as script URLs or markup, or only report them. */
  readonly trustedTypes: 'enforce' | 'report';
}

/**
 * Where browsers send reports of violations (`policy-reports.ts`). `report-uri` works in all browsers. `report-to` is
 * meant to replace it, but with it Chromium sends no reports from http pages, and delays them by a minute on https.
 */
const report = 'report-uri /policy-reports';

/** Page headers that limit what a page may load and run. */
export type PagePolicies = Readonly<Record<string, string>>;

/**
 * Content-Security-Policy of pages: scripts only from our own files, no inline scripts, no eval, and (Trusted Types) no
 * strings that become code. The registry and configuration blocks are data, which the policy doesn't restrict.
 */
export function pagePolicies({
  authDomain,
  allowLocal = false,
  remotes = [],
  trustedTypes,
}: PagePolicyOptions): PagePolicies {
  const local = allowLocal ? ' http://localhost:* http://127.0.0.1:*' : '';
  const google = authDomain ? ' https://apis.google.com' : '';
  // A remote's loader restarts after a failure, hence duplicates. The code in shell and mf-public decides which
  // addresses `remote-entries` allows and which data `data-blocks` allows.
  const types = [
    "require-trusted-types-for 'script'",
    `trusted-types shell remote-entries data-blocks ${[...remotes, "'allow-duplicates'"].join(' ')}`,
  ];
  const policy = [
    "default-src 'none'",
    `script-src 'self'${google}${local}`,
    `style-src 'self'${local}`,
    // Doctors' portraits and Google account pictures are on other hosts; daisyUI uses data URLs.
    `img-src 'self' data: https:${local}`,
    `font-src 'self'${local}`,
    `connect-src 'self'${authDomain ? ' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com' : ''}${local}`,
    `frame-src ${authDomain ? `https://${authDomain}` : "'none'"}`,
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  if (trustedTypes === 'enforce') return { 'Content-Security-Policy': [...policy, ...types, report].join('; ') };
  return {
    'Content-Security-Policy': [...policy, report].join('; '),
    'Content-Security-Policy-Report-Only': [...types, report].join('; '),
  };
}

/** Sets the common headers on one of our own responses. */
export function setCommonHeaders(res: ServerResponse, req: GatewayRequest): void {
  for (const [name, value] of commonHeaders) res.setHeader(name, value);
  res.setHeader('x-request-id', req.requestId);
  const { strictTransport } = req.origin;
  if (strictTransport !== undefined) res.setHeader('strict-transport-security', strictTransport);
}

/** Where the request id is in {@link frequentHeaders}. */
const requestIdAt = 1;

/**
 * Prepares the headers of a frequent response as a flat array of alternating names and values: setting headers one by
 * one costs twice as much.
 *
 * @param own - headers of this response; none may be a common one
 */
export function frequentHeaders(own: readonly string[]): readonly string[] {
  return ['x-request-id', '', ...own, ...commonHeaders.flat()];
}

/** The headers of one such response. @param prepared - by {@link frequentHeaders} */
export function withRequestId(req: GatewayRequest, prepared: readonly string[]): string[] {
  const headers = prepared.slice();
  headers[requestIdAt] = req.requestId;
  const { strictTransport } = req.origin;
  if (strictTransport !== undefined) headers.push('strict-transport-security', strictTransport);
  return headers;
}

/**
 * Headers of a request to a service.
 *
 * @param bodyBytes - length of the body, which was read before; `undefined` if there is none
 * @param service - its name: it gets no other service's session token
 * @param audiences - names of all services, separated by commas; svc-identity makes a token for each
 */
export function serviceRequestHeaders(
  req: GatewayRequest,
  bodyBytes: number | undefined,
  service: string,
  audiences: string | undefined,
): IncomingHttpHeaders {
  const { connection } = req.headers;
  // Fields named in Connection are hop-by-hop too.
  const named =
    connection === undefined || connection === 'keep-alive'
      ? ''
      : `,${connection.toLowerCase().replaceAll(/\s/g, '')},`;
  const cookies = req.headers.cookie === undefined ? undefined : cookiesFor(service, req.headers.cookie);
  const headers: IncomingHttpHeaders = {};
  // A new object, because deleting from the existing one makes every later access slow.
  for (const name in req.headers) {
    if (notForwarded.has(name) || (named.includes(`,${name},`) && name !== 'host')) continue;
    if (name !== 'cookie') headers[name] = req.headers[name];
    else if (cookies !== undefined) headers.cookie = cookies;
  }
  if (audiences !== undefined) headers[audiencesHeader] = audiences;
  if (bodyBytes !== undefined) headers['content-length'] = String(bodyBytes);
  headers['x-forwarded-for'] = req.origin.address;
  headers['x-forwarded-proto'] = req.origin.protocol;
  headers['x-forwarded-host'] = headers.host ?? '';
  headers['x-request-id'] = req.requestId;
  return headers;
}

/** Headers of a request shared by several visitors: none that identifies the one who sent it. */
export function sharedRequestHeaders(req: GatewayRequest): IncomingHttpHeaders {
  return {
    accept: 'application/json',
    'x-request-id': req.requestId,
    'x-forwarded-proto': req.origin.protocol,
  };
}

/**
 * Filters an upstream's response headers for the client: hop-by-hop fields belong to the upstream's connection.
 *
 * @returns flat array of alternating names and values, as received: converting to an object and back costs more than
 *   everything else here
 */
export function answerHeaders(
  { rawHeaders, statusCode }: Pick<IncomingMessage, 'rawHeaders' | 'statusCode'>,
  res: ServerResponse,
  req: GatewayRequest,
): string[] {
  const headers = ['x-request-id', req.requestId, 'connection', res.shouldKeepAlive ? 'keep-alive' : 'close'];
  // 204 and 304 have no body (RFC 9112, section 6.1), and HTTP/1.0 has no chunked encoding.
  const chunksAllowed = statusCode !== 204 && statusCode !== 304 && req.httpVersion !== '1.0';
  let itsOwn: Set<string> | undefined;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const given = rawHeaders[i] ?? '';
    const name = given.toLowerCase();
    if (notReturned.has(name) || (name === 'transfer-encoding' && !chunksAllowed)) continue;
    if (name in everywhere) itsOwn = (itsOwn ?? new Set()).add(name);
    headers.push(given, rawHeaders[i + 1] ?? '');
  }
  for (const [name, value] of commonHeaders) if (!itsOwn?.has(name)) headers.push(name, value);
  const { strictTransport } = req.origin;
  if (strictTransport !== undefined) headers.push('strict-transport-security', strictTransport);
  return headers;
}
