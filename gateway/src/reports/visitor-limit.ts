const windowMs = 60_000;

/** Per minute, from one network and in total. */
export interface VisitorLimits {
  readonly perNetwork: number;
  readonly altogether: number;
}

/** Limits the reports we accept from anonymous browsers. */
export class VisitorLimit {
  readonly #most: VisitorLimits;
  #counts = new Map<string, number>();
  #dropped = 0;

  /** @param onDropped - called after each minute in which something was over the limit */
  constructor(limits: VisitorLimits, onDropped?: (dropped: number) => void) {
    this.#most = limits;
    setInterval(() => {
      if (this.#dropped > 0) onDropped?.(this.#dropped);
      this.#counts = new Map();
      this.#dropped = 0;
    }, windowMs).unref();
  }

  /** Counts a request. @returns whether it is within the limits */
  admits(network: string): boolean {
    const all = (this.#counts.get('') ?? 0) + 1;
    const own = (this.#counts.get(network) ?? 0) + 1;
    // What is over a network's own limit doesn't count towards the total.
    if (all > this.#most.altogether || own > this.#most.perNetwork) {
      this.#dropped += 1;
      return false;
    }
    this.#counts.set('', all).set(network, own);
    return true;
  }
}
