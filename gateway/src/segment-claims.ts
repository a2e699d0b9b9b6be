/** Who wants which first segments of addresses for itself. */
export interface Claim {
  readonly owner: string;
  readonly segments: readonly string[];
}

/** A segment that somebody else has already. */
export interface Refusal {
  readonly owner: string;
  readonly segment: string;
  readonly takenBy: string;
}

/**
 * Shares the first segments of addresses out. Who has one keeps it for as long as it wants it; what is free goes to the
 * first who claims it. Segments that differ in case only count as one: browsers' routers ignore case.
 */
export class SegmentClaims {
  #claims: readonly Claim[] = [];
  #owners = new Map<string, string>();

  /**
   * Replaces what an owner claims. Owners are asked in the order in which they came.
   *
   * @returns what it can't have
   */
  claim(owner: string, segments: readonly string[]): readonly Refusal[] {
    const claim = { owner, segments };
    this.#claims = this.#claims.some((known) => known.owner === owner) ? this.#claims.map((known) => (known.owner === owner ? claim : known)) : [...this.#claims, claim];
    const before = this.#owners;
    const owners = new Map<string, string>();
    for (const kept of this.#claims) for (const key of kept.segments.map(keyOf)) if (before.get(key) === kept.owner) owners.set(key, kept.owner);
    for (const wanted of this.#claims) for (const key of wanted.segments.map(keyOf)) if (!owners.has(key)) owners.set(key, wanted.owner);
    this.#owners = owners;
    return segments.flatMap((segment) => {
      const takenBy = owners.get(keyOf(segment));
      return takenBy === owner || takenBy === undefined ? [] : [{ owner, segment, takenBy }];
    });
  }

  /** Whether a segment is this owner's. */
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
