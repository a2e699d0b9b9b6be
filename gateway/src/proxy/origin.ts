import type { IncomingMessage } from 'node:http';

/** Where a request comes from, as seen by us or reported by the proxy in front of us. */
export interface Origin {
  readonly address: string;
  readonly protocol: 'http' | 'https';
}

/**
 * @param trustProxy whether a reverse proxy of ours is in front; if not, forwarding headers are ignored
 * @param publicUrl the clinic's public URL: its scheme is the default unless that proxy says otherwise
 */
export function originOf(req: IncomingMessage, trustProxy: boolean, publicUrl: string): Origin {
  const address = req.socket.remoteAddress ?? '';
  const usual = publicUrl.startsWith('https:') ? 'https' : 'http';
  if (!trustProxy) return { address, protocol: usual };
  const protocol = req.headers['x-forwarded-proto'];
  // The last entry was written by our proxy; earlier ones are whatever the client claimed.
  const forwardedFor = String(req.headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-1)
    ?.trim();
  return {
    address: forwardedFor || address,
    protocol: protocol === 'https' || protocol === 'http' ? protocol : usual,
  };
}
