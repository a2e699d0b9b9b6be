import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceContext } from '../context.ts';
import { readDeletions, reportErasure, type OpenDeletion } from './deletions.ts';
import { eraseStep, type Eraser } from './erase-person.ts';

/** Milliseconds between two polls if no change is reported, and between retries after a failure. */
const pollEvery = 10_000;
const retryEvery = 1_000;

/**
 * Erases the people whom svc-identity is deleting: asks at start, whenever rights change, and every ten seconds, and
 * works until nothing is left to do. Each replica of a service may run it.
 */
export class DeletionFollower {
  readonly #context: ServiceContext;
  readonly #service: string;
  readonly #eraser: Eraser;
  #wake: (() => void) | undefined;
  #changed = true;

  constructor(context: ServiceContext, service: string, eraser: Eraser) {
    this.#context = context;
    this.#service = service;
    this.#eraser = eraser;
  }

  /** Call this when somebody's rights have changed: asks immediately. */
  changed(): void {
    this.#changed = true;
    this.#wake?.();
  }

  /** Runs until the service stops. */
  async follow(): Promise<void> {
    const { log, stopping } = this.#context;
    let failures = 0;
    while (!stopping.aborted) {
      this.#changed = false;
      try {
        await this.#eraseAll();
        if (failures > 0) log.info({ failures }, 'deletions go on again');
        failures = 0;
      } catch (error) {
        if (stopping.aborted) return;
        failures += 1;
        if (failures === 1 || failures % 60 === 0)
          log.warn({ reason: (error as Error).message, failures }, 'erasing people failed, will retry');
      }
      if (!this.#changed || failures > 0) await this.#pause(failures > 0 ? retryEvery : pollEvery);
    }
  }

  async #eraseAll(): Promise<void> {
    let failed: unknown;
    for (const deletion of await readDeletions(this.#context, this.#service)) {
      try {
        await this.#erase(deletion);
      } catch (error) {
        // The others go ahead.
        failed = error;
      }
    }
    if (failed !== undefined) throw failed;
  }

  async #erase(deletion: OpenDeletion): Promise<void> {
    const { stopping } = this.#context;
    for (let done = false; !done && !stopping.aborted;) {
      const erased = await eraseStep(this.#context, deletion, this.#eraser);
      await reportErasure(this.#context, deletion.person.id, { service: this.#service, ...erased });
      ({ done } = erased);
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    // Ends early on a change, or when the service stops.
    await delay(milliseconds, undefined, {
      signal: AbortSignal.any([this.#context.stopping, woken.signal]),
    }).catch(() => undefined);
    this.#wake = undefined;
  }
}
