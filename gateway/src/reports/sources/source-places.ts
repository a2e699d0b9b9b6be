import { once } from 'node:events';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import type { Logger } from 'pino';

/** Places in built scripts, and where to send those in the sources. */
export interface ToLocate {
  readonly at: readonly string[];
  readonly answerTo: MessagePort;
}

/** Addresses of each front-end's servers, by its name. */
export type Servers = Readonly<Record<string, readonly string[]>>;

/** Most reports that wait; others are logged as they came. */
const mostPending = 20;

/** Milliseconds that a report may wait. */
const limitMs = 5000;

/** Finds the places of page errors in the sources, with the source maps that the front-ends' servers keep. */
export class SourcePlaces {
  readonly #servers: Servers;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  #pending = 0;
  #worker: Worker | undefined;

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
  async locate(at: readonly string[]): Promise<readonly string[] | undefined> {
    if (this.#stopping.signal.aborted || at.length === 0 || this.#pending >= mostPending) return undefined;
    const { port1: answer, port2: answerTo } = new MessageChannel();
    this.#pending += 1;
    try {
      this.#start().postMessage({ at, answerTo } satisfies ToLocate, [answerTo]);
      const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(limitMs)]);
      const [places] = (await once(answer, 'message', { signal })) as [readonly string[]];
      return places.some((place, index) => place !== at[index]) ? places : undefined;
    } catch {
      // Not in time: the report is logged without them.
      return undefined;
    } finally {
      this.#pending -= 1;
      answer.close();
    }
  }

  /** Stops; pending places count as unknown. */
  async stop(): Promise<void> {
    this.#stopping.abort();
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
    worker.on('message', (reason: string) => this.#log.warn({ reason }, 'source map could not be read'));
    worker.on('error', (error) => this.#log.error({ err: error }, 'places in sources can’t be found, will retry'));
    worker.on('exit', () => (this.#worker = undefined));
    this.#worker = worker;
    return worker;
  }
}
