import type { IncomingMessage, ServerResponse } from 'node:http';

/** Hop-by-hop fields (RFC 9110, section 7.6.1) and what only a proxy in front may say. */
const notForwarded = [
  'connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'proxy-authenticate', 'te', 'trailer', 'upgrade',
  'forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto', 'x-real-ip',
];

const notReturned = ['keep-alive', 'proxy-connection', 'trailer', 'upgrade', 'server', 'x-powered-by'];

/** Sent with every answer. Set one by one as constants: helmet costs six times as much. */
const everywhere: readonly (readonly [string, string])[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  // Not `same-origin`: that would cut off the window of a Google sign-in.
  ['Cross-Origin-Opener-Policy', 'same-origin-allow-popups'],
  ['Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()'],
];

/** Of answers that are no pages: they can't load anything, nor be framed. */
export const dataPolicy = "default-src 'none'; frame-ancestors 'none'";

export interface PagePolicyOptions {
  /** Host that opens the Google sign-in window with a real Firebase project; none with the emulator. */
  readonly authDomain?: string;
  /** Allow scripts from servers on the developer's own machine. */
  readonly allowLocal?: boolean;
}

/**
 * Content-Security-Policy of pages: scripts only from our own files, no inline script, no eval. The blocks with the
 * registry and the configuration are data, which the policy doesn't concern.
 */
export function pagePolicy({ authDomain, allowLocal = false }: PagePolicyOptions): string {
  const local = allowLocal ? ' http://localhost:* http://127.0.0.1:*' : '';
  const google = authDomain ? ' https://apis.google.com' : '';
  return [
    "default-src 'none'",
    `script-src 'self'${google}${local}`,
    `style-src 'self'${local}`,
    // Doctors' portraits and Google's account pictures live elsewhere; daisyUI draws with data URLs.
    "img-src 'self' data: https:",
    "font-src 'self'",
    `connect-src 'self'${authDomain ? ' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com' : ''}${local}`,
    `frame-src ${authDomain ? `https://${authDomain}` : "'none'"}`,
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export function setSecurityHeaders(res: ServerResponse): void {
  for (const [name, value] of everywhere) res.setHeader(name, value);
}

/** Where a request comes from, as we found out ourselves or as the proxy in front says. */
export interface Origin {
  readonly address: string;
  readonly protocol: string;
}

/**
 * @param trustProxy whether a reverse proxy of ours stands in front; else what a client claims about itself is ignored
 */
export function originOf(req: IncomingMessage, trustProxy: boolean): Origin {
  const address = req.socket.remoteAddress ?? '';
  if (!trustProxy) return { address, protocol: 'http' };
  // The last entry is the one the proxy in front has written; those before are the client's claims.
  const forwardedFor = String(req.headers['x-forwarded-for'] ?? '').split(',').at(-1)?.trim();
  return { address: forwardedFor || address, protocol: req.headers['x-forwarded-proto'] === 'https' ? 'https' : 'http' };
}

/** Makes a request's headers fit to be sent on. */
export function cleanRequestHeaders(req: IncomingMessage, origin: Origin, requestId: string): void {
  const { headers } = req;
  // Fields that the Connection field names are for this hop alone, too.
  for (const name of (headers.connection ?? '').split(',')) {
    const field = name.trim().toLowerCase();
    if (field !== '' && field !== 'host' && field !== 'content-length' && field !== 'transfer-encoding') delete headers[field];
  }
  for (const name of notForwarded) delete headers[name];
  headers['x-forwarded-for'] = origin.address;
  headers['x-forwarded-proto'] = origin.protocol;
  headers['x-forwarded-host'] = headers.host ?? '';
  headers['x-request-id'] = requestId;
}

/** Makes an upstream's headers fit to be sent back: its connection is not the client's. */
export function cleanResponseHeaders(upstream: IncomingMessage, res: ServerResponse): void {
  for (const name of notReturned) delete upstream.headers[name];
  upstream.headers.connection = res.shouldKeepAlive ? 'keep-alive' : 'close';
}
