/** Maximum wait for the lock, milliseconds. */
const patience = 2_000;

/**
 * In-process locks per medicine. Transactions alone keep the stock right, across processes too; but forty orders for the same
 * few medicines would spend most of their time conflicting and retrying. After a long wait, work runs without the lock.
 */
export class KeyedLocks {
  readonly #last = new Map<string, Promise<void>>();

  /** @param keys - ids to lock; calls without a common key don't wait for each other */
  async take<T>(keys: Iterable<string>, work: () => Promise<T>): Promise<T> {
    const requested = new Set(keys);
    const before = [...requested].flatMap((key) => this.#last.get(key) ?? []);
    // All keys are locked in one step, so calls can't deadlock.
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    for (const key of requested) this.#last.set(key, done);
    await atMost(patience, Promise.all(before));
    try {
      return await work();
    } finally {
      for (const key of requested) if (this.#last.get(key) === done) this.#last.delete(key);
      finish();
    }
  }
}

async function atMost(milliseconds: number, previous: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([previous, enough]);
  clearTimeout(timer);
}
