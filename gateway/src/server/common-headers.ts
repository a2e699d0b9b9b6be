import type { ServerResponse } from 'node:http';
import type { GatewayRequest } from './gateway-request.ts';

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

/** Sets the common headers on one of our own responses. */
export function setCommonHeaders(res: ServerResponse, req: GatewayRequest): void {
  for (const [name, value] of commonHeaders) res.setHeader(name, value);
  res.setHeader('x-request-id', req.requestId);
  const { strictTransport } = req.origin;
  if (strictTransport !== undefined) res.setHeader('strict-transport-security', strictTransport);
}
