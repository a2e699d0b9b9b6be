import { randomInt } from 'node:crypto';

/** From so many places a process chooses where its slots begin, so that replicas seldom share one. */
const places = 16;

/**
 * Keeps changes of the same day from colliding: all that happens today would write one tally. Each change under way gets a
 * tally of the day of its own; a day has about as many as there are changes at the same time, and the report adds them up.
 * Differences may go to any slot of a day, also for what another slot counted.
 */
export class TallySlots {
  readonly #place = randomInt(places);
  readonly #taken = new Set<number>();

  /** Runs `work` with a slot that no other change of this process has meanwhile. */
  async use<T>(work: (slot: string) => Promise<T>): Promise<T> {
    let slot = 0;
    while (this.#taken.has(slot)) slot += 1;
    this.#taken.add(slot);
    try {
      return await work(`${this.#place}.${slot}`);
    } finally {
      this.#taken.delete(slot);
    }
  }
}
