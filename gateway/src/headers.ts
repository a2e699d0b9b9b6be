import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayRequest } from './gateway-request.ts';

/** Hop-by-hop fields (RFC 9110, section 7.6.1) and what only a proxy in front may say. */
const notForwarded = new Set([
  'connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'proxy-authenticate', 'te', 'trailer', 'upgrade',
  'forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto', 'x-real-ip',
]);

/** Fields without which a request would be read wrongly, whatever Connection says of them. */
const framing = new Set(['host', 'content-length', 'transfer-encoding']);

const notReturned = new Set(['connection', 'keep-alive', 'proxy-connection', 'trailer', 'upgrade', 'server', 'x-powered-by', 'x-request-id', 'strict-transport-security']);

/** Sent with every answer, unless it says something else itself. Constants: helmet costs six times as much. */
const everywhere = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  // Not `same-origin`: that would cut off the window of a Google sign-in.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  // Nothing of ours belongs into other sites' pages; the files of builds say otherwise themselves.
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
  // Of answers that are no pages: they can't load anything, nor be framed.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/** Names and values of what every answer has. */
export const commonHeaders = Object.entries(everywhere);

/** A year, in seconds; for hosts below ours, too. */
export const strictTransport = 'max-age=31536000; includeSubDomains';

export interface PagePolicyOptions {
  /** Host that opens the Google sign-in window with a real Firebase project; none with the emulator. */
  readonly authDomain?: string;
  /** Allow scripts from servers on the developer's own machine. */
  readonly allowLocal?: boolean;
  /** Names of the remotes: the loader of each has a Trusted Types policy of that name. */
  readonly remotes?: readonly string[];
  /** Whether a string in the place of a script's address or of markup is refused, or only reported. */
  readonly trustedTypes: 'enforce' | 'report';
}

/** First segment of the address where browsers report what a page's policy refused (`policy-reports.ts`). */
export const policyReportsSegment = 'policy-reports';

/**
 * By `report-uri`, which all browsers know. `report-to` is to replace it, but where it is there Chromium sends nothing at
 * all from http addresses, and keeps reports for a minute elsewhere.
 */
const report = `report-uri /${policyReportsSegment}`;

/** Headers of pages with what they may load and run. */
export type PagePolicies = Readonly<Record<string, string>>;

/**
 * Content-Security-Policy of pages: scripts only from our own files, no inline script, no eval, and (Trusted Types) no
 * string that becomes code. The blocks with the registry and the configuration are data, which the policy doesn't concern.
 */
export function pagePolicies({ authDomain, allowLocal = false, remotes = [], trustedTypes }: PagePolicyOptions): PagePolicies {
  const local = allowLocal ? ' http://localhost:* http://127.0.0.1:*' : '';
  const google = authDomain ? ' https://apis.google.com' : '';
  // A remote's loader starts again after a failure, hence duplicates. Which addresses `remote-entries` and which data
  // `data-blocks` let pass is in shell and mf-public.
  const types = ["require-trusted-types-for 'script'", `trusted-types shell remote-entries data-blocks ${[...remotes, "'allow-duplicates'"].join(' ')}`];
  const policy = [
    "default-src 'none'",
    `script-src 'self'${google}${local}`,
    `style-src 'self'${local}`,
    // Doctors' portraits and Google's account pictures live elsewhere; daisyUI draws with data URLs.
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
  return { 'Content-Security-Policy': [...policy, report].join('; '), 'Content-Security-Policy-Report-Only': [...types, report].join('; ') };
}

/** Sets on an answer of our own what every answer has. */
export function setCommonHeaders(res: ServerResponse, req: GatewayRequest): void {
  for (const [name, value] of commonHeaders) res.setHeader(name, value);
  res.setHeader('x-request-id', req.requestId);
  if (req.headers['x-forwarded-proto'] === 'https') res.setHeader('strict-transport-security', strictTransport);
}

const flatCommonHeaders = commonHeaders.flat();

/**
 * Names and values by turns for an answer that is given often: headers set one by one cost twice as much.
 *
 * @param own - of this answer, none of which is a common one
 */
export function withCommonHeaders(req: GatewayRequest, own: readonly string[]): string[] {
  const headers = ['x-request-id', req.requestId, ...own, ...flatCommonHeaders];
  if (req.headers['x-forwarded-proto'] === 'https') headers.push('strict-transport-security', strictTransport);
  return headers;
}

/** Where a request comes from, as we found out ourselves or as the proxy in front says. */
export interface Origin {
  readonly address: string;
  readonly protocol: string;
}

/**
 * @param trustProxy whether a reverse proxy of ours stands in front; else what a client claims about itself is ignored
 * @param publicUrl where visitors find the clinic: its scheme is theirs unless that proxy says otherwise
 */
export function originOf(req: IncomingMessage, trustProxy: boolean, publicUrl: string): Origin {
  const address = req.socket.remoteAddress ?? '';
  const usual = publicUrl.startsWith('https:') ? 'https' : 'http';
  if (!trustProxy) return { address, protocol: usual };
  const said = req.headers['x-forwarded-proto'];
  // The last entry is the one the proxy in front has written; those before are the client's claims.
  const forwardedFor = String(req.headers['x-forwarded-for'] ?? '').split(',').at(-1)?.trim();
  return { address: forwardedFor || address, protocol: said === 'https' || said === 'http' ? said : usual };
}

/** Makes a request's headers fit to be sent on. */
export function cleanRequestHeaders(req: GatewayRequest, origin: Origin): void {
  const { connection } = req.headers;
  // Fields that the Connection field names are for this hop alone, too.
  const named = connection === undefined || connection === 'keep-alive' ? '' : `,${connection.toLowerCase().replaceAll(/\s/g, '')},`;
  const headers: IncomingHttpHeaders = {};
  // A new object: deleting from the one there is makes every later look at it slow.
  for (const name in req.headers) {
    if (notForwarded.has(name) || (named.includes(`,${name},`) && !framing.has(name))) continue;
    headers[name] = req.headers[name];
  }
  headers['x-forwarded-for'] = origin.address;
  headers['x-forwarded-proto'] = origin.protocol;
  headers['x-forwarded-host'] = headers.host ?? '';
  headers['x-request-id'] = req.requestId;
  req.headers = headers;
}

/**
 * The headers of an upstream's answer as they may be sent back: its connection is not the client's.
 *
 * @returns names and values by turns, as they came over the wire: to sort them into an object and out again costs more than all the rest
 */
export function answerHeaders({ rawHeaders, statusCode }: Pick<IncomingMessage, 'rawHeaders' | 'statusCode'>, res: ServerResponse, req: GatewayRequest): string[] {
  const headers = ['x-request-id', req.requestId, 'connection', res.shouldKeepAlive ? 'keep-alive' : 'close'];
  // These have no body (RFC 9112, section 6.1), and HTTP/1.0 knows no chunks.
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
  if (req.headers['x-forwarded-proto'] === 'https') headers.push('strict-transport-security', strictTransport);
  return headers;
}
