import { longestTokenLife } from './session-claims.ts';

/** Milliseconds after which a silent feed counts as lost (facts: a role change must reach everyone within a second). */
const lostAfter = 5_000;

/** Changes are kept a little longer than the tokens they outdate live. */
const keptFor = (longestTokenLife + 60) * 1_000;

/**
 * What a service knows about rights that changed since tokens were made: the newest version per user and the sessions
 * that ended. Filled by the version feed; asked on every protected call.
 */
export class VersionTracker {
  readonly #versions = new Map<string, { version: number; at: number }>();
  readonly #ended = new Map<string, number>();
  #heardAt: number | undefined;
  #prunedAt = 0;

  /** Takes in that a user's rights are now at this version. */
  raise(userId: string, version: number): void {
    const known = this.#versions.get(userId);
    if (!known || known.version < version) this.#versions.set(userId, { version, at: Date.now() });
  }

  /** Takes in that a session has ended. */
  end(sessionId: string): void {
    this.#ended.set(sessionId, Date.now());
  }

  /** Takes in that everything up to now is known. */
  heard(): void {
    const now = Date.now();
    this.#heardAt = now;
    if (now - this.#prunedAt > 60_000) this.#prune(now);
  }

  /** Whether a token of that version is older than the user's rights. */
  isStale(userId: string, version: number): boolean {
    const known = this.#versions.get(userId);
    return known !== undefined && known.version > version;
  }

  hasEnded(sessionId: string): boolean {
    return this.#ended.has(sessionId);
  }

  /** Whether the knowledge is recent enough to let anyone in. */
  isLive(): boolean {
    return this.#heardAt !== undefined && Date.now() - this.#heardAt <= lostAfter;
  }

  /** Seconds since the last news; `undefined` when there was none yet. */
  silence(): number | undefined {
    return this.#heardAt === undefined ? undefined : (Date.now() - this.#heardAt) / 1_000;
  }

  #prune(now: number): void {
    this.#prunedAt = now;
    for (const [id, entry] of this.#versions) if (now - entry.at > keptFor) this.#versions.delete(id);
    for (const [id, at] of this.#ended) if (now - at > keptFor) this.#ended.delete(id);
  }
}
