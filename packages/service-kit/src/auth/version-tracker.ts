import { longestTokenLife } from './session-claims.ts';

/** Milliseconds of silence after which the feed counts as lost. A role change must reach everyone within a second. */
const lostAfter = 5_000;

/**
 * Milliseconds of silence until which requests wait for the feed instead of failing: long enough to notice a silent
 * feed and to read another replica's. After that they fail at once, so that an outage doesn't pile them up.
 */
const waitUntil = 8_000;

/** Changes are kept slightly longer than the tokens they invalidate. */
const keptFor = (longestTokenLife + 60) * 1_000;

/**
 * Rights that changed after tokens were issued: the newest version per user and the sessions that ended. Filled by the
 * session feed; checked on every protected call.
 */
export class VersionTracker {
  readonly #versions = new Map<string, { version: number; at: number }>();
  readonly #ended = new Map<string, number>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #waiting = new Set<() => void>();
  #currentAt: number | undefined;
  #prunedAt = 0;

  /** Records the current version of a user's rights. */
  raise(userId: string, version: number): void {
    const known = this.#versions.get(userId);
    if (known && known.version >= version) return;
    this.#versions.set(userId, { version, at: Date.now() });
    this.#notify(userId);
  }

  /** Records that a session has ended. */
  end(sessionId: string): void {
    const isNew = !this.#ended.has(sessionId);
    this.#ended.set(sessionId, Date.now());
    if (isNew) this.#notify(sessionId);
  }

  /** Calls back when the user's rights change or the session ends. @returns unsubscribes */
  onChange({ id, sessionId }: { readonly id: string; readonly sessionId: string }, changed: () => void): () => void {
    for (const key of [id, sessionId]) this.#listeners.set(key, (this.#listeners.get(key) ?? new Set()).add(changed));
    return () => {
      for (const key of [id, sessionId]) {
        const listeners = this.#listeners.get(key);
        listeners?.delete(changed);
        if (listeners?.size === 0) this.#listeners.delete(key);
      }
    };
  }

  /** Records that the feed is up to date as of now. */
  markCurrent(): void {
    const now = Date.now();
    this.#currentAt = now;
    for (const resolve of this.#waiting) resolve();
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

  /** Whether the feed is recent enough to accept sessions. */
  isLive(): boolean {
    return this.#currentAt !== undefined && Date.now() - this.#currentAt <= lostAfter;
  }

  /** Waits for a feed that has only just been lost. @returns whether it is recent enough to accept sessions */
  async becomesLive(): Promise<boolean> {
    const left = this.#currentAt === undefined ? 0 : this.#currentAt + waitUntil - Date.now();
    if (this.isLive() || left <= 0) return this.isLive();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    const timer = setTimeout(resolve, left);
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(resolve);
    return this.isLive();
  }

  /** Seconds since the last update; `undefined` if there was none yet. */
  silence(): number | undefined {
    return this.#currentAt === undefined ? undefined : (Date.now() - this.#currentAt) / 1_000;
  }

  #notify(key: string): void {
    for (const changed of this.#listeners.get(key) ?? []) changed();
  }

  #prune(now: number): void {
    this.#prunedAt = now;
    for (const [id, entry] of this.#versions) if (now - entry.at > keptFor) this.#versions.delete(id);
    for (const [id, at] of this.#ended) if (now - at > keptFor) this.#ended.delete(id);
  }
}
