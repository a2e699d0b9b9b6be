import type { IncomingMessage } from 'node:http';
import { networkOf } from '@clinic/contracts/network';

/** Where a request comes from, as seen by us or reported by the proxy in front of us. */
export interface Origin {
  readonly address: string;
  /** Whom limits count: one visitor has many addresses. */
  readonly network: string;
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
export function originOf(
  { headers, socket }: IncomingMessage,
  { trustProxy, publicUrl, scope }: OriginOptions,
): Origin {
  let { remoteAddress: address = '' } = socket;
  let protocol: Origin['protocol'] = publicUrl.startsWith('https:') ? 'https' : 'http';
  if (trustProxy) {
    const { 'x-forwarded-for': chain = '', 'x-forwarded-proto': said } = headers;
    // The last entry was written by our proxy; earlier ones are whatever the client claimed.
    address = withoutPort(String(chain).split(',').at(-1)?.trim() ?? '') || address;
    if (said === 'https' || said === 'http') protocol = said;
  }
  return {
    address,
    network: networkOf(address),
    protocol,
    // Browsers ignore Strict-Transport-Security on http (RFC 6797, section 8.1).
    strictTransport: protocol === 'https' ? strictTransport[scope] : undefined,
  };
}

/** Some proxies add the port, which differs with each connection of a visitor. */
const withoutPort = (address: string): string => address.replace(/^\[(.*)\](?::\d+)?$|^((?:\d+\.){3}\d+):\d+$/, '$1$2');
