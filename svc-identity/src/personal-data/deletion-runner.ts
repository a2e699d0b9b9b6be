import { setTimeout as delay } from 'node:timers/promises';
import { BackgroundLoop, ProblemError } from '@clinic/service-kit';
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
  readonly #loop: BackgroundLoop;

  constructor(context: IdentityContext, firebase: Firebase) {
    this.#context = context;
    this.#firebase = firebase;
    const work = async (): Promise<void> => {
      await adoptDeletions(context);
      const holders = await dataHoldersOf(context).find().toArray();
      for await (const deletion of deletionsOf(context).find({ finishedAt: { $exists: false } }))
        if (isErasedEverywhere(deletion, holders)) await this.#finish(deletion);
    };
    this.#loop = new BackgroundLoop(context, { what: 'finishing deletions', work, every: lookEvery });
  }

  /** Call this when a deletion was started or a service has reported. */
  wake(): void {
    this.#loop.wake();
  }

  /** Runs until the service stops. */
  run(): Promise<void> {
    return this.#loop.run();
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
}
