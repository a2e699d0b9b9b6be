import type { ServerResponse } from 'node:http';
import type { GatewayRequest } from './gateway-request.ts';

/** Whose a request is, as the gateway has found out (`cleanRequestHeaders`). */
export function addressOf({ headers }: Pick<GatewayRequest, 'headers'>): string {
  return String(headers['x-forwarded-for']);
}

/**
 * The requests that have been sent on and are not answered yet. An array with gaps closed from its end: a `Map` copies
 * its entries to a new table now and then, and the table it leaves behind keeps thousands of finished requests from the
 * garbage collector's quick rounds, which cost a fifth of the gateway's throughput.
 */
export class UnderWay {
  readonly #entries: { readonly req: GatewayRequest; readonly res: ServerResponse }[] = [];

  get size(): number {
    return this.#entries.length;
  }

  /** Adds a request, which is taken out by itself, and given up, once its answer is done or its client gone. */
  add(req: GatewayRequest, res: ServerResponse): void {
    req.place = this.#entries.push({ req, res }) - 1;
    res.once('close', () => {
      this.#remove(req);
      req.exchange?.giveUp();
    });
  }

  /** How many come from where this one comes from; looks at all of them. */
  countOf(req: Pick<GatewayRequest, 'headers'>): number {
    const address = addressOf(req);
    return this.#entries.reduce((count, entry) => count + (addressOf(entry.req) === address ? 1 : 0), 0);
  }

  /** Calls for each, also when that takes some out. */
  forEach(look: (req: GatewayRequest, res: ServerResponse) => void): void {
    for (const { req, res } of this.#entries.slice()) look(req, res);
  }

  #remove({ place }: GatewayRequest): void {
    const last = this.#entries.pop();
    if (!last || last.req.place === place) return;
    last.req.place = place;
    this.#entries[place] = last;
  }
}
