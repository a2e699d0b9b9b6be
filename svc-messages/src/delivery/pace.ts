import { setTimeout as delay } from 'node:timers/promises';

/** Spreads work evenly, so that many things at once leave room for others. */
export class Pace {
  readonly #gapMs: number;
  #next = 0;

  /** @param perSecond - how much may begin in a second */
  constructor(perSecond: number) {
    this.#gapMs = 1_000 / perSecond;
  }

  /**
   * Resolves when the caller may begin: in the order of the calls, at the pace.
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
