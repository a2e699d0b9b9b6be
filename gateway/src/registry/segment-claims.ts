/** The first path segments that an owner claims. */
export interface Claim {
  readonly owner: string;
  readonly segments: readonly string[];
}

/** A claimed segment that already belongs to another owner. */
export interface RejectedClaim {
  readonly owner: string;
  readonly segment: string;
  readonly takenBy: string;
}

/**
 * Assigns first path segments to owners. An owner keeps a segment while it claims it; a free one goes to the
 * first claimant. Segments that differ only in case are the same, because browsers' routers ignore case.
 */
export class SegmentClaims {
  #claims: readonly Claim[] = [];
  #owners: ReadonlyMap<string, string> = new Map();
  /** Assignments made by the lead worker, which take precedence. */
  #elsewhere: ReadonlyMap<string, string> = new Map();
  readonly #listeners: (() => void)[] = [];

  /** Owners by segment, in lower case. */
  get owners(): ReadonlyMap<string, string> {
    return this.#owners;
  }

  /** Registers a callback for changes of ownership. */
  onChange(call: () => void): void {
    this.#listeners.push(call);
  }

  /**
   * Replaces an owner's claims. Owners take precedence in the order of their first claim.
   *
   * @returns the segments it can't have
   */
  claim(owner: string, segments: readonly string[]): readonly RejectedClaim[] {
    const claim = { owner, segments };
    this.#claims = this.#claims.some((known) => known.owner === owner)
      ? this.#claims.map((known) => (known.owner === owner ? claim : known))
      : [...this.#claims, claim];
    this.#share();
    return segments.flatMap((segment) => {
      const takenBy = this.#owners.get(keyOf(segment));
      return takenBy === owner || takenBy === undefined ? [] : [{ owner, segment, takenBy }];
    });
  }

  /** Follows another worker's assignments: a segment has the same owner here while that owner claims it. */
  follow(owners: ReadonlyMap<string, string>): void {
    this.#elsewhere = owners;
    this.#share();
  }

  #share(): void {
    const before = this.#owners;
    const owners = new Map<string, string>();
    for (const known of [this.#elsewhere, before]) {
      for (const { owner, segments } of this.#claims)
        for (const key of segments.map(keyOf)) if (!owners.has(key) && known.get(key) === owner) owners.set(key, owner);
    }
    for (const { owner, segments } of this.#claims)
      for (const key of segments.map(keyOf)) if (!owners.has(key)) owners.set(key, owner);
    this.#owners = owners;
    const same = owners.size === before.size && [...owners].every(([key, owner]) => before.get(key) === owner);
    if (!same) for (const call of this.#listeners) call();
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
