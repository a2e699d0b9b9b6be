import type { Store } from './store.ts';

/** A purge waits until nothing was written for so long, so that a burst of writes costs one. */
const QUIET_MS = 1_000;
/** Under writes without a pause it runs all the same, this long after the first. */
const LATEST_MS = 10_000;
/** Everybody waits while the file is rewritten: what would take longer than this happens once a day. */
const SHORT_MS = 500;
const DAY_MS = 24 * 3_600_000;
/** Short rewrites take a hundredth of the time at most. */
const PAUSE_FACTOR = 100;
const SHORTEST_PAUSE_MS = 5_000;
/** After a failure, for example a full disk. */
const RETRY_MS = 60_000;
/** What a rewrite takes until one was measured, milliseconds per byte; files below the size tell nothing about larger ones. */
const USUAL_COST = 12 / 1e6;
const TELLING_BYTES = 4e6;

/**
 * Removes from the files what is no longer stored: deleted records and what updated ones said before. `secure_delete` clears the place
 * of a record at once; what remains are older pages in the write-ahead log and copies in free parts of pages.
 */
export class Purge {
  private readonly store: Store;
  private readonly onFailure: (error: unknown) => void;
  private seenWrites = 0;
  /** When the first write since the log was emptied was seen. */
  private loggedAt: number | undefined;
  private rewriteIsDue = false;
  private rewrittenAt = Number.NEGATIVE_INFINITY;
  private lastTook = 0;
  private cost = USUAL_COST;
  private retryAt = 0;

  /** @param onFailure told of each failure; nothing is lost by one, and it is tried again */
  constructor(store: Store, onFailure: (error: unknown) => void) {
    this.store = store;
    this.onFailure = onFailure;
  }

  /** To be called every now and then, never within a storage transaction. @param now milliseconds since 1970 */
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

  /** Does at the end what is still to do, if that is short. */
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
