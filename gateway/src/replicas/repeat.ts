import { setTimeout as delay } from 'node:timers/promises';

/**
 * Repeats work in the background. The first run is up to the caller.
 *
 * @param work - must not reject
 * @param everyMs - milliseconds from the end of a run to the next one
 * @param ended - no run begins after it
 */
export async function repeat(work: () => Promise<void>, everyMs: number, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    // The signal ends it early.
    await delay(everyMs, undefined, { signal: ended, ref: false }).catch(() => undefined);
    if (!ended.aborted) await work();
  }
}
