/** Longest wait for a turn, milliseconds. */
const patience = 2_000;

/**
 * Lets work on the same medicines go one after the other within this process. Transactions keep the stock right without it,
 * across processes too; but forty orders for the same few medicines would spend most of their time colliding and starting
 * over. Whoever has waited too long goes ahead without a turn.
 */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /** @param keys - what the work is about; works without a key in common don't wait for each other */
  async take<T>(keys: Iterable<string>, work: () => Promise<T>): Promise<T> {
    const wanted = new Set(keys);
    const before = [...wanted].flatMap((key) => this.#last.get(key) ?? []);
    // All keys are taken in one step, so nobody waits for somebody who waits for them.
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    for (const key of wanted) this.#last.set(key, done);
    await atMost(patience, Promise.all(before));
    try {
      return await work();
    } finally {
      for (const key of wanted) if (this.#last.get(key) === done) this.#last.delete(key);
      finish();
    }
  }
}

async function atMost(milliseconds: number, turn: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([turn, enough]);
  clearTimeout(timer);
}
