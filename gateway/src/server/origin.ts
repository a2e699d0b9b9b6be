import type { IncomingMessage } from 'node:http';

/** Where a request comes from, as seen by us or reported by the proxy in front of us. */
export interface Origin {
  readonly address: string;
  readonly protocol: 'http' | 'https';
  /** Value of Strict-Transport-Security for the response, if it has one. */
  readonly strictTransport?: string | undefined;
}

/**
 * Values of Strict-Transport-Security by scope (RFC 6797). One year, in seconds; lists of preloaded domains ask for
 * two.
 */
const strictTransport = {
  off: undefined,
  host: 'max-age=31536000',
  subdomains: 'max-age=31536000; includeSubDomains',
  preload: 'max-age=63072000; includeSubDomains; preload',
} as const;

/** How far browsers must use https only. */
export type StrictTransportScope = keyof typeof strictTransport;

export interface OriginOptions {
  /** Whether a reverse proxy of ours is in front; if not, forwarding headers are ignored. */
  readonly trustProxy: boolean;
  /** The clinic's public URL: its scheme is the default unless that proxy says otherwise. */
  readonly publicUrl: string;
  readonly scope: StrictTransportScope;
}

/** Works out where a request comes from. */
export function originOf(req: IncomingMessage, { trustProxy, publicUrl, scope }: OriginOptions): Origin {
  const address = req.socket.remoteAddress ?? '';
  const usual = publicUrl.startsWith('https:') ? 'https' : 'http';
  if (!trustProxy) return from(address, usual, scope);
  const protocol = req.headers['x-forwarded-proto'];
  // The last entry was written by our proxy; earlier ones are whatever the client claimed.
  const forwardedFor = String(req.headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-1)
    ?.trim();
  return from(forwardedFor || address, protocol === 'https' || protocol === 'http' ? protocol : usual, scope);
}

function from(address: string, protocol: Origin['protocol'], scope: StrictTransportScope): Origin {
  // Browsers ignore Strict-Transport-Security on http (RFC 6797, section 8.1).
  return { address, protocol, strictTransport: protocol === 'https' ? strictTransport[scope] : undefined };
}
