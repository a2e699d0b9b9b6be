import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two polls of a part. */
const pollEvery = 250;

/** Polls parts of the clinic and records the longest outage of each. */
export class Outages {
  /** Longest time without a good answer by part, milliseconds. */
  readonly longest = new Map<string, number>();
  readonly #lastGood = new Map<string, number>();

  /** @param parts - a check for each part; true if it is available */
  constructor(parts: Readonly<Record<string, () => Promise<boolean>>>, stop: AbortSignal) {
    for (const [part, ask] of Object.entries(parts)) void this.#watch(part, ask, stop);
  }

  /** Waits until every part is available. @returns the parts that aren't in time */
  async recovered(within: number): Promise<string[]> {
    const from = performance.now();
    for (;;) {
      const down = [...this.#lastGood].filter(([, at]) => at < from).map(([part]) => part);
      if (down.length === 0 || performance.now() - from > within) return down;
      await delay(pollEvery);
    }
  }

  async #watch(part: string, ask: () => Promise<boolean>, stop: AbortSignal): Promise<void> {
    this.#lastGood.set(part, performance.now());
    while (!stop.aborted) {
      const polledAt = performance.now();
      if (await ask()) {
        this.longest.set(
          part,
          Math.max(this.longest.get(part) ?? 0, performance.now() - (this.#lastGood.get(part) ?? polledAt) - pollEvery),
        );
        this.#lastGood.set(part, performance.now());
      }
      await delay(pollEvery);
    }
  }
}
