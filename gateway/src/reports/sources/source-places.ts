import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';

export interface ToLocate {
  readonly id: number;
  readonly at: readonly string[];
}
export interface Located {
  readonly id: number;
  readonly places?: readonly string[];
  readonly error?: string;
}

/** Most reports that wait; others are logged as they came. */
const mostPending = 20;

/** Milliseconds that a report may wait. */
const limitMs = 5000;

type Places = readonly string[] | undefined;

/** Addresses of each front-end's servers, by its name. */
export type Servers = Readonly<Record<string, readonly string[]>>;

/** Finds the places of page errors in the sources, with the source maps that the front-ends' servers keep. */
export class SourcePlaces {
  readonly #servers: Servers;
  readonly #log: Logger;
  readonly #pending = new Map<number, (places: Places) => void>();
  #worker: Worker | undefined;
  #last = 0;
  #isStopped = false;

  constructor(servers: Servers, log: Logger) {
    this.#servers = servers;
    this.#log = log;
  }

  /**
   * Finds places in the sources, e.g. `mf-clinic/src/booking/booking-form.tsx:41:7`. It never rejects.
   *
   * @param at - places in built scripts, as pages report them
   * @returns a place for each, unchanged if its source is unknown; `undefined` if none is known in time
   */
  async locate(at: readonly string[]): Promise<Places> {
    if (this.#isStopped || at.length === 0 || this.#pending.size >= mostPending) return undefined;
    const worker = this.#start();
    this.#last += 1;
    const id = this.#last;
    const places = await new Promise<Places>((resolve) => {
      const timer = setTimeout(() => this.#settle(id, undefined), limitMs);
      this.#pending.set(id, (found) => {
        clearTimeout(timer);
        resolve(found);
      });
      worker.postMessage({ id, at } satisfies ToLocate);
    });
    return places?.some((place, index) => place !== at[index]) ? places : undefined;
  }

  /** Stops; pending places count as unknown. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#settleAll();
    await this.#worker?.terminate();
  }

  /** Started by the first error, as most gateways see none for hours. */
  #start(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./locate-worker.ts', import.meta.url), {
      workerData: { servers: this.#servers },
      resourceLimits: { maxOldGenerationSizeMb: 96 },
    });
    worker.unref();
    worker.on('message', ({ id, places, error }: Located) => {
      if (error !== undefined) this.#log.warn({ reason: error }, 'source map could not be read');
      this.#settle(id, places);
    });
    worker.on('error', (error) => this.#log.error({ err: error }, 'places in sources can’t be found, will retry'));
    worker.on('exit', () => {
      this.#worker = undefined;
      this.#settleAll();
    });
    this.#worker = worker;
    return worker;
  }

  #settle(id: number, places: Places): void {
    this.#pending.get(id)?.(places);
    this.#pending.delete(id);
  }

  #settleAll(): void {
    for (const id of this.#pending.keys()) this.#settle(id, undefined);
  }
}
