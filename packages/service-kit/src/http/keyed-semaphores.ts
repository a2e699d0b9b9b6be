import { Semaphore, withTimeout, type SemaphoreInterface } from 'async-mutex';

interface Entry {
  readonly semaphore: SemaphoreInterface;
  /** Number of calls that hold or await it. */
  users: number;
}

/** A semaphore for each key, kept while calls hold or await it. */
export class KeyedSemaphores {
  readonly #entries = new Map<string, Entry>();
  readonly #atOnce: number;

  /** @param atOnce - calls of a key that run at the same time; others wait in order */
  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Number of calls that hold or await a key's semaphore. */
  usersOf(key: string): number {
    return this.#entries.get(key)?.users ?? 0;
  }

  /**
   * Takes a place; call the returned function once to free it.
   *
   * @param longestWait - milliseconds
   * @throws `tooLong` if no place is free in time
   */
  async acquire(key: string, longestWait: number, tooLong: Error): Promise<() => void> {
    const entry = this.#entries.get(key) ?? { semaphore: new Semaphore(this.#atOnce), users: 0 };
    this.#entries.set(key, entry);
    entry.users += 1;
    const leave = (): void => {
      entry.users -= 1;
      if (entry.users === 0) this.#entries.delete(key);
    };
    try {
      const [, release] = await withTimeout(entry.semaphore, longestWait, tooLong).acquire();
      return () => {
        release();
        leave();
      };
    } catch (error) {
      leave();
      throw error;
    }
  }
}
