import type { ServerResponse } from 'node:http';
import type { PeerLists } from '../cluster/peers.ts';

/**
 * The changes in flight to a service, through this worker and its peers. While there are any, its public lists aren't
 * cached: once a client has the response to a change, every list must show it.
 */
export class Changes {
  readonly #peers: PeerLists | undefined;
  readonly #listeners: (() => void)[] = [];
  #inFlight = 0;
  #begun = 0;

  /** @param peers - workers that cache the same lists */
  constructor(peers?: PeerLists) {
    this.#peers = peers;
    peers?.onChange(() => this.#begin());
  }

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

  /**
   * Begins a change, which ends when its response is done.
   *
   * @param forward - called once no peer has an old list, unless the client is gone
   */
  forward(res: ServerResponse, forward: () => void): void {
    res.once('close', this.#begin());
    if (!this.#peers) return forward();
    const { acknowledged, over } = this.#peers.begin();
    res.once('close', over);
    void acknowledged.then(() => {
      if (!res.destroyed) forward();
    });
  }

  /** @returns a function to call when the change is done */
  #begin(): () => void {
    this.#inFlight += 1;
    this.#begun += 1;
    for (const call of this.#listeners) call();
    return () => {
      this.#inFlight -= 1;
    };
  }
}
