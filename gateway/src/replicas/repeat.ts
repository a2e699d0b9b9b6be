/**
 * Repeats work in the background. The first run is up to the caller.
 *
 * @param work - must not reject
 * @param everyMs - milliseconds from the end of a run to the next one
 * @returns stops it; a run that has begun goes on
 */
export function repeat(work: () => Promise<void>, everyMs: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const schedule = (): void => {
    if (!stopped) timer = setTimeout(() => void work().finally(schedule), everyMs).unref();
  };
  schedule();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
