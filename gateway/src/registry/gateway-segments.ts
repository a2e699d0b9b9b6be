import { shellPages } from '@clinic/contracts/pages';
import { pagesOwner, SegmentClaims } from './segment-claims.ts';

/** First segments reserved for the gateway; services can't claim any with a dot in it. */
export const gatewaySegments = [
  // Gateways of the previous release have it.
  'demo',
  'mf',
  'shell',
  'health',
  'metrics',
  'internal',
  'live',
  'registry',
  'page-errors',
  'page-visits',
  'policy-reports',
];

/** The claims of the gateway and of the shell's pages, which come before all others. */
export function gatewayClaims(): SegmentClaims {
  const claims = new SegmentClaims();
  claims.claim('gateway', gatewaySegments);
  claims.claim(
    pagesOwner,
    shellPages.map((page) => page.split('/')[1] ?? ''),
  );
  return claims;
}
