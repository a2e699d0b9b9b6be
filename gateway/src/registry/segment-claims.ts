import { shellPages } from '@clinic/contracts/pages';

/** Owner name for the segments of all pages, whichever remote they belong to. */
export const pagesOwner = 'pages';

/** A claimed segment that already belongs to another owner. */
interface RejectedClaim {
  readonly segment: string;
  readonly takenBy: string;
}

/**
 * Assigns first path segments to owners. An owner keeps a segment while it claims it; a free one goes to the
 * first claimant. Segments that differ only in case are the same, because browsers' routers ignore case.
 */
export class SegmentClaims {
  /** By owner; one that claims others keeps its place. */
  readonly #claims = new Map<string, readonly string[]>();
  #owners: ReadonlyMap<string, string> = new Map();

  /**
   * Replaces an owner's claims. Owners take precedence in the order of their first claim.
   *
   * @returns the segments it can't have
   */
  claim(owner: string, segments: readonly string[]): readonly RejectedClaim[] {
    this.#claims.set(owner, segments);
    this.#assign();
    return segments.flatMap((segment) => {
      const takenBy = this.#owners.get(keyOf(segment));
      return takenBy === owner || takenBy === undefined ? [] : [{ segment, takenBy }];
    });
  }

  #assign(): void {
    const before = this.#owners;
    const owners = new Map<string, string>();
    for (const [owner, segments] of this.#claims)
      for (const key of segments.map(keyOf)) if (before.get(key) === owner) owners.set(key, owner);
    for (const [owner, segments] of this.#claims)
      for (const key of segments.map(keyOf)) if (!owners.has(key)) owners.set(key, owner);
    this.#owners = owners;
  }

  /** Whether a segment belongs to this owner. */
  owns(owner: string, segment: string): boolean {
    return this.#owners.get(keyOf(segment)) === owner;
  }

  ownerOf(segment: string): string | undefined {
    return this.#owners.get(keyOf(segment));
  }
}

function keyOf(segment: string): string {
  return segment.toLowerCase();
}

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
