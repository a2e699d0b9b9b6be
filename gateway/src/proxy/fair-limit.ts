/** Networks below 10 % of a limit may exceed it by 25 %, so one that floods locks out only itself. */
const smallPart = 0.1;
const reservedPart = 0.25;

/** Limits something that clients use at the same time: requests, streams, bytes of bodies. */
export class FairLimit {
  readonly #most: number;
  readonly #usedBy = new Map<string, number>();
  #used = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get used(): number {
    return this.#used;
  }

  /** @returns a function that gives it back, to be called once; `undefined` if the limit is reached */
  take(network: string, amount = 1): (() => void) | undefined {
    const used = this.#used + amount;
    const own = (this.#usedBy.get(network) ?? 0) + amount;
    if (used > this.#most && (used > this.#most * (1 + reservedPart) || own > this.#most * smallPart)) return undefined;
    this.#add(network, amount);
    return () => this.#add(network, -amount);
  }

  #add(network: string, amount: number): void {
    this.#used += amount;
    const own = (this.#usedBy.get(network) ?? 0) + amount;
    if (own > 0) this.#usedBy.set(network, own);
    else this.#usedBy.delete(network);
  }
}
