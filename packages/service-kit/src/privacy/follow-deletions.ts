import { BackgroundLoop } from '../background-loop.ts';
import type { ServiceContext } from '../context.ts';
import { readDeletions, reportErasure, type OpenDeletion } from './deletions.ts';
import { eraseStep, type Eraser } from './erase-person.ts';

/** Milliseconds between two polls if no change is reported. */
const pollEvery = 10_000;

/**
 * Erases the people whom svc-identity is deleting: asks at start, whenever rights change, and every ten seconds, and
 * works until nothing is left to do. Each replica of a service may run it.
 *
 * @returns the loop, to be run, and to be woken when somebody's rights have changed
 */
export function deletionFollower(context: ServiceContext, service: string, eraser: Eraser): BackgroundLoop {
  const work = async (): Promise<void> => {
    let failed: unknown;
    for (const deletion of await readDeletions(context, service)) {
      try {
        await erase(context, service, eraser, deletion);
      } catch (error) {
        // The others go ahead.
        failed = error;
      }
    }
    if (failed !== undefined) throw failed;
  };
  return new BackgroundLoop(context, { what: 'erasing people', work, every: pollEvery });
}

async function erase(context: ServiceContext, service: string, eraser: Eraser, deletion: OpenDeletion): Promise<void> {
  for (let done = false; !done && !context.stopping.aborted;) {
    const erased = await eraseStep(context, deletion, eraser);
    await reportErasure(context, deletion.person.id, { service, ...erased });
    ({ done } = erased);
  }
}
