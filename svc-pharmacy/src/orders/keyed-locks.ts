import { KeyedSemaphores } from '@clinic/service-kit';

/** Maximum wait for all locks of a call, milliseconds. */
const patience = 2_000;

const waitedTooLong = new Error('waited too long for a lock');

/**
 * In-process locks per medicine. Transactions alone keep the stock right, across processes too; but forty orders for the same
 * few medicines would spend most of their time conflicting and retrying. After a long wait, work runs without the lock.
 */
export class KeyedLocks {
  readonly #locks = new KeyedSemaphores(1);

  /** @param keys - ids to lock; calls without a common key don't wait for each other */
  async take<T>(keys: Iterable<string>, work: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + patience;
    const releases: (() => void)[] = [];
    try {
      // In the same order for all calls, so that they can't deadlock.
      for (const key of [...new Set(keys)].sort())
        releases.push(await this.#locks.acquire(key, Math.max(0, deadline - performance.now()), waitedTooLong));
    } catch (error) {
      if (error !== waitedTooLong) throw error;
    }
    try {
      return await work();
    } finally {
      for (const release of releases) release();
    }
  }
}
