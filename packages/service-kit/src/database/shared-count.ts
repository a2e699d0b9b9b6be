import { createHash } from 'node:crypto';
import type { Collection } from 'mongodb';
import type { ServiceContext } from '../context.ts';
import { isDuplicateKey } from '../http/error-mapping.ts';
import type { IndexPlan } from './database.ts';

interface Count {
  /** What is counted, hashed: we don't store visitors' network addresses. */
  readonly _id: string;
  readonly hits: number;
  /** End of the window; the next hit starts a new count. */
  readonly resetAt: Date;
}

/**
 * The database purges counts whose window has ended. Descending, because earlier releases create `resetAt: 1` without a
 * limit, which MongoDB rejects beside an index of the same key that has one.
 */
export const countIndexes: IndexPlan = { counts: [{ key: { resetAt: -1 }, name: 'ended', expireAfterSeconds: 0 }] };

const countsOf = ({ db }: Pick<ServiceContext, 'db'>): Collection<Count> => db.collection('counts');

/** Maximum cached rejections; beyond that the database is queried. */
const rememberAtMost = 10_000;

/** A count after a hit. */
interface CountedHit {
  readonly totalHits: number;
  /** End of the window. */
  readonly resetTime: Date;
}

/** Counts in the database, so that a limit holds over all replicas together; also a store for `express-rate-limit`. */
export class SharedCount {
  readonly localKeys = false;
  readonly #context: Pick<ServiceContext, 'db'>;
  readonly #what: string;
  readonly #limit: number;
  readonly #windowMs: number;
  /** Keys over the limit, and until when: a flood causes no writes. */
  readonly #over = new Map<string, Date>();

  /**
   * @param what - name of the limit
   * @param limit - hits allowed per window
   * @param windowMs - length of the window from its first hit, in milliseconds
   */
  constructor(context: Pick<ServiceContext, 'db'>, what: string, limit: number, windowMs: number) {
    this.#context = context;
    this.#what = what;
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  /** Counts a hit. @returns how many there are in the window; over the limit the figure may be too high */
  async increment(key: string): Promise<CountedHit> {
    const _id = this.#idOf(key);
    const over = this.#over.get(_id);
    if (over && over > new Date()) return { totalHits: this.#limit + 2, resetTime: over };
    this.#over.delete(_id);
    const { hits, resetAt } = await this.#count(_id);
    if (hits > this.#limit) this.#remember(_id, resetAt);
    return { totalHits: hits, resetTime: resetAt };
  }

  /** If it is full, only ended windows make room: forgetting others, a flood that cycles over more keys would write each time. */
  #remember(_id: string, resetAt: Date): void {
    if (this.#over.size >= rememberAtMost)
      for (const [oldest, until] of this.#over) {
        // All end within one window, so one that ends later holds up those behind it no longer than that.
        if (until > new Date()) break;
        this.#over.delete(oldest);
      }
    if (this.#over.size < rememberAtMost) this.#over.set(_id, resetAt);
  }

  /** Takes a hit back, unless its window has ended meanwhile. */
  async decrement(key: string): Promise<void> {
    const _id = this.#idOf(key);
    await countsOf(this.#context).updateOne({ _id, hits: { $gt: 0 } }, { $inc: { hits: -1 } });
    // It may be within the limit again.
    this.#over.delete(_id);
  }

  async resetKey(key: string): Promise<void> {
    this.#over.delete(this.#idOf(key));
    await countsOf(this.#context).deleteOne({ _id: this.#idOf(key) });
  }

  async #count(_id: string): Promise<Count> {
    const counts = countsOf(this.#context);
    for (;;) {
      const now = new Date();
      const counted = await counts.findOneAndUpdate(
        { _id, resetAt: { $gt: now } },
        { $inc: { hits: 1 } },
        { returnDocument: 'after' },
      );
      if (counted) return counted;
      try {
        await counts.updateOne(
          { _id, resetAt: { $lte: now } },
          { $set: { hits: 0, resetAt: new Date(now.getTime() + this.#windowMs) } },
          { upsert: true },
        );
      } catch (error) {
        // A concurrent request started the new count.
        if (!isDuplicateKey(error)) throw error;
      }
    }
  }

  #idOf(key: string): string {
    return createHash('sha256').update(`${this.#what} ${key}`).digest('base64url');
  }
}
