import { BackgroundLoop } from '../background-loop.ts';
import type { ServiceContext } from '../context.ts';
import { readDeletions, reportErasure, type OpenDeletion } from './deletions.ts';
import { eraseStep, type Eraser, type ErasureProgress } from './erase-person.ts';
import { openLocalDeletions } from './local-deletions.ts';

/** Milliseconds between two polls if no change is reported. */
const pollEvery = 10_000;

/**
 * Erases the people whom svc-identity is deleting, and those whom this service deletes itself: asks at start, whenever
 * rights change, and every ten seconds, and works until nothing is left to do. Each replica of a service may run it.
 *
 * @returns the loop, to be run, and to be woken when somebody's rights have changed
 */
export function deletionFollower(context: ServiceContext, service: string, eraser: Eraser): BackgroundLoop {
  const work = async (): Promise<void> => {
    let failed: unknown;
    const eachOf = async (deletions: readonly OpenDeletion[], report: Report): Promise<void> => {
      for (const deletion of deletions) {
        try {
          await erase(context, eraser, deletion, report);
        } catch (error) {
          // The others go ahead.
          failed = error;
        }
      }
    };
    await eachOf(await openLocalDeletions(context), () => Promise.resolve());
    await eachOf(await readDeletions(context, service), (id, progress) =>
      reportErasure(context, id, { service, ...progress }),
    );
    if (failed !== undefined) throw failed;
  };
  return new BackgroundLoop(context, { what: 'erasing people', work, every: pollEvery });
}

/** Says how far the erasure of an account has got. */
type Report = (id: string, progress: ErasureProgress) => Promise<void>;

async function erase(context: ServiceContext, eraser: Eraser, deletion: OpenDeletion, report: Report): Promise<void> {
  for (let done = false; !done && !context.stopping.aborted;) {
    const erased = await eraseStep(context, deletion, eraser);
    await report(deletion.person.id, erased);
    ({ done } = erased);
  }
}
