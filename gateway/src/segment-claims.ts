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
  #owners: ReadonlyMap<string, string> = new Map();
  /** Who has what where it was shared out first. */
  #elsewhere: ReadonlyMap<string, string> = new Map();
  readonly #listeners: (() => void)[] = [];

  /** Owners by segment, in lower case. */
  get owners(): ReadonlyMap<string, string> {
    return this.#owners;
  }

  /** Is called whenever segments have changed their owner. */
  onChange(call: () => void): void {
    this.#listeners.push(call);
  }

  /**
   * Replaces what an owner claims. Owners are asked in the order in which they came.
   *
   * @returns what it can't have
   */
  claim(owner: string, segments: readonly string[]): readonly Refusal[] {
    const claim = { owner, segments };
    this.#claims = this.#claims.some((known) => known.owner === owner) ? this.#claims.map((known) => (known.owner === owner ? claim : known)) : [...this.#claims, claim];
    this.#share();
    return segments.flatMap((segment) => {
      const takenBy = this.#owners.get(keyOf(segment));
      return takenBy === owner || takenBy === undefined ? [] : [{ owner, segment, takenBy }];
    });
  }

  /** Does as somebody else has done: who has a segment there has it here, while they want it. */
  follow(owners: ReadonlyMap<string, string>): void {
    this.#elsewhere = owners;
    this.#share();
  }

  #share(): void {
    const before = this.#owners;
    const owners = new Map<string, string>();
    for (const known of [this.#elsewhere, before]) {
      for (const { owner, segments } of this.#claims) for (const key of segments.map(keyOf)) if (!owners.has(key) && known.get(key) === owner) owners.set(key, owner);
    }
    for (const { owner, segments } of this.#claims) for (const key of segments.map(keyOf)) if (!owners.has(key)) owners.set(key, owner);
    this.#owners = owners;
    const same = owners.size === before.size && [...owners].every(([key, owner]) => before.get(key) === owner);
    if (!same) for (const call of this.#listeners) call();
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
