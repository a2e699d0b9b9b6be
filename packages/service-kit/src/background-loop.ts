import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceContext } from './context.ts';
import { reasonOf } from './observability/logged-error.ts';

/** Milliseconds between retries after a failure. */
const retryEvery = 1_000;

/** What a {@link BackgroundLoop} does. */
export interface BackgroundWork {
  /**
   * Must be safe to repeat and to run in several replicas; what it throws is logged, and it runs again a second later.
   *
   * @returns milliseconds until the next run, if not `every`
   */
  readonly work: () => Promise<number | void>;
  /** Milliseconds between two runs if nothing wakes the loop. */
  readonly every: number;
  /** Names the work in the log, e.g. `staff list poll`. */
  readonly what: string;
}

/** Work in the background: at start, whenever it is woken, and from time to time in case a wake-up was lost. */
export class BackgroundLoop {
  readonly #context: Pick<ServiceContext, 'log' | 'stopping'>;
  readonly #task: BackgroundWork;
  #interrupt: (() => void) | undefined;
  #woken = false;

  constructor(context: Pick<ServiceContext, 'log' | 'stopping'>, task: BackgroundWork) {
    this.#context = context;
    this.#task = task;
  }

  /** Runs the work at once, or once more if it is running. */
  wake(): void {
    this.#woken = true;
    this.#interrupt?.();
  }

  /** Whether the loop was woken since the work began or last asked: it then needn't run once more for that. */
  takeWake(): boolean {
    const woken = this.#woken;
    this.#woken = false;
    return woken;
  }

  /** Runs until the service stops; never rejects. */
  async run(): Promise<void> {
    const { log, stopping } = this.#context;
    const { work, every, what } = this.#task;
    for (let failures = 0; !stopping.aborted;) {
      this.#woken = false;
      let pause: number | void = retryEvery;
      try {
        pause = await work();
        if (failures > 0) log.info({ failures }, `${what} works again`);
        failures = 0;
      } catch (error) {
        if (stopping.aborted) return;
        failures += 1;
        if (failures === 1 || failures % 60 === 0)
          log.warn({ reason: reasonOf(error), failures }, `${what} failed, will retry`);
      }
      if (!this.#woken || failures > 0) await this.#pause(pause ?? every);
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    const interrupted = new AbortController();
    this.#interrupt = () => interrupted.abort();
    // Ends early when woken, or when the service stops.
    await delay(milliseconds, undefined, {
      signal: AbortSignal.any([this.#context.stopping, interrupted.signal]),
    }).catch(() => undefined);
    this.#interrupt = undefined;
  }
}
