import type { ServerResponse } from 'node:http';

/**
 * The changes in flight to a service, through this gateway. While there are any, its public lists aren't
 * cached: once a client has the response to a change, every list must show it.
 */
export class Changes {
  readonly #listeners: (() => void)[] = [];
  #inFlight = 0;
  #begun = 0;

  get inFlight(): number {
    return this.#inFlight;
  }

  /** How many have begun so far. */
  get begun(): number {
    return this.#begun;
  }

  /** Registers a callback for the beginning of each change. */
  onBegin(call: () => void): void {
    this.#listeners.push(call);
  }

  /** Begins a change, which ends when its response is done. */
  begin(res: ServerResponse): void {
    this.#inFlight += 1;
    this.#begun += 1;
    for (const call of this.#listeners) call();
    res.once('close', () => (this.#inFlight -= 1));
  }
}
