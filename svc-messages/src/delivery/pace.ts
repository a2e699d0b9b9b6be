import { setTimeout as delay } from 'node:timers/promises';

/** Spreads work evenly over time, so that a burst leaves room for other work. */
export class Pace {
  readonly #gapMs: number;
  #next = 0;

  /** @param perSecond - starts per second */
  constructor(perSecond: number) {
    this.#gapMs = 1_000 / perSecond;
  }

  /**
   * Resolves when it is the caller's turn, in the order of the calls.
   *
   * @param stopping - ends the wait early
   */
  async turn(stopping: AbortSignal): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gapMs;
    if (at > now) await delay(at - now, undefined, { signal: stopping }).catch(() => undefined);
  }
}
