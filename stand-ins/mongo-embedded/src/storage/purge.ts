import type { Store } from './store.ts';

/** A purge waits for this long without writes, in milliseconds, so that a burst of writes causes only one. */
const QUIET_MS = 1_000;
/** Under continuous writes, it runs this long after the first, in milliseconds. */
const LATEST_MS = 10_000;
/**
 * Everything waits while the file is rewritten, so a rewrite that would take longer than this, in milliseconds, runs
 * once a day.
 */
const SHORT_MS = 500;
const DAY_MS = 24 * 3_600_000;
/** Short rewrites take at most a hundredth of the time. */
const PAUSE_FACTOR = 100;
const SHORTEST_PAUSE_MS = 5_000;
/** Milliseconds until a retry after a failure, for example a full disk. */
const RETRY_MS = 60_000;
/**
 * Estimated cost of a rewrite before one is measured, in milliseconds per byte; small files are no guide to larger
 * ones.
 */
const USUAL_COST = 12 / 1e6;
const TELLING_BYTES = 4e6;

/**
 * Purges deleted records and previous versions of updated ones from the files. `secure_delete` overwrites a record at
 * once; what remains are older pages in the write-ahead log and copies in free parts of pages.
 */
export class Purge {
  private readonly store: Store;
  private readonly onFailure: (error: unknown) => void;
  private seenWrites = 0;
  /** Time of the first write since the log was last emptied. */
  private loggedAt: number | undefined;
  private rewriteIsDue = false;
  private rewrittenAt = Number.NEGATIVE_INFINITY;
  private lastTook = 0;
  private cost = USUAL_COST;
  private retryAt = 0;

  /** @param onFailure called on each failure; nothing is lost, and the purge is retried */
  constructor(store: Store, onFailure: (error: unknown) => void) {
    this.store = store;
    this.onFailure = onFailure;
  }

  /** Call this periodically, never within a storage transaction. @param now milliseconds since 1970 */
  run(now = Date.now()): void {
    const { writes, writtenAt } = this.store;
    if (writes !== this.seenWrites) {
      this.seenWrites = writes;
      this.loggedAt ??= now;
    }
    if (now < this.retryAt) return;
    if (this.loggedAt !== undefined && (now - writtenAt >= QUIET_MS || now - this.loggedAt >= LATEST_MS)) {
      if (!this.attempt(() => this.store.emptyLog(), now)) return;
      this.loggedAt = undefined;
      this.rewriteIsDue = true;
    }
    if (this.rewriteIsDue && this.mayRewrite(now)) this.attempt(() => this.rewrite(now), now);
  }

  /** Does the remaining work on shutdown, if it is short. */
  finish(): void {
    const isDue = this.rewriteIsDue || this.loggedAt !== undefined || this.store.writes !== this.seenWrites;
    const now = Date.now();
    if (isDue && this.expected() <= SHORT_MS) this.attempt(() => this.rewrite(now), now);
  }

  private mayRewrite(now: number): boolean {
    const pause = this.expected() > SHORT_MS ? DAY_MS : Math.max(SHORTEST_PAUSE_MS, this.lastTook * PAUSE_FACTOR);
    return now - this.rewrittenAt >= pause;
  }

  private expected(): number {
    return this.store.size() * this.cost;
  }

  private rewrite(now: number): void {
    const began = performance.now();
    this.store.rewrite();
    this.lastTook = performance.now() - began;
    const size = this.store.size();
    if (size >= TELLING_BYTES) this.cost = this.lastTook / size;
    this.rewrittenAt = now;
    this.rewriteIsDue = false;
  }

  private attempt(work: () => void, now: number): boolean {
    try {
      work();
      return true;
    } catch (error) {
      this.retryAt = now + RETRY_MS;
      this.onFailure(error);
      return false;
    }
  }
}
