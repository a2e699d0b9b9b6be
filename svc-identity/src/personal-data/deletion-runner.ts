import { setTimeout as delay } from 'node:timers/promises';
import { ProblemError } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import type { Firebase } from '../firebase/firebase-app.ts';
import type { IdentityContext } from '../settings.ts';
import { adoptDeletions } from './adopt-deletions.ts';
import { dataHoldersOf, deletionsOf, isErasedEverywhere, type DeletionRecord } from './deletion-record.ts';
import { finishDeletion } from './finish-deletion.ts';

/** Milliseconds between two looks at the open deletions without a report, and between two while a request waits. */
const lookEvery = 5_000;
const waitEvery = 100;

/**
 * Finishes deletions whose services have all reported. Runs in every replica: each step is safe to repeat, and whatever
 * was killed is taken up again.
 */
export class DeletionRunner {
  readonly #context: IdentityContext;
  readonly #firebase: Firebase;
  #wake: (() => void) | undefined;
  #woken = false;

  constructor(context: IdentityContext, firebase: Firebase) {
    this.#context = context;
    this.#firebase = firebase;
  }

  /** Call this when a deletion was started or a service has reported. */
  wake(): void {
    this.#woken = true;
    this.#wake?.();
  }

  /** Runs until the service stops. */
  async run(): Promise<void> {
    const { log, stopping } = this.#context;
    while (!stopping.aborted) {
      this.#woken = false;
      try {
        await adoptDeletions(this.#context);
        const holders = await dataHoldersOf(this.#context).find().toArray();
        for await (const deletion of deletionsOf(this.#context).find({ finishedAt: { $exists: false } }))
          if (isErasedEverywhere(deletion, holders)) await this.#finish(deletion);
      } catch (error) {
        if (stopping.aborted) return;
        log.warn({ reason: (error as Error).message }, 'deletions could not be read, will retry');
      }
      if (!this.#woken) await this.#pause();
    }
  }

  /** Waits until a deletion is finished. @param within - milliseconds @returns its last state */
  async finished(userId: string, within: number): Promise<DeletionRecord | null> {
    const { stopping } = this.#context;
    const until = performance.now() + within;
    for (;;) {
      const deletion = await deletionsOf(this.#context).findOne({ _id: new ObjectId(userId) });
      if (!deletion || deletion.finishedAt || performance.now() > until || stopping.aborted) return deletion;
      // Only shutdown interrupts the wait.
      await delay(waitEvery, undefined, { signal: stopping }).catch(() => undefined);
    }
  }

  async #finish(deletion: DeletionRecord): Promise<void> {
    const { log, stopping } = this.#context;
    const { _id } = deletion;
    try {
      await finishDeletion(this.#context, this.#firebase, deletion);
      log.info({ userId: _id.toHexString() }, 'person deleted');
    } catch (error) {
      if (stopping.aborted) return;
      const problem = error instanceof ProblemError ? error.message : 'Something went wrong. We’ll keep trying.';
      log.error({ err: error, userId: _id.toHexString() }, 'deletion could not be finished, will retry');
      await deletionsOf(this.#context).updateOne({ _id, finishedAt: { $exists: false } }, { $set: { problem } });
    }
  }

  async #pause(): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    // Ends early when woken, or when the service stops.
    await delay(lookEvery, undefined, {
      signal: AbortSignal.any([this.#context.stopping, woken.signal]),
      ref: false,
    }).catch(() => undefined);
    this.#wake = undefined;
  }
}
