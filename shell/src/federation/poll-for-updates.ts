/** Milliseconds between polls, plus or minus a fifth, so that pages opened at the same moment don't poll together. */
export const everyMs = 5 * 60_000;

/** Minimum milliseconds between two polls, however often somebody switches to the page. */
export const leastMs = 30_000;

/**
 * Polls every few minutes, when the page becomes visible again, and when the network is back. Doesn't poll while the page is
 * hidden or the machine is offline.
 *
 * @returns a function that stops it
 */
export function pollForUpdates(poll: () => Promise<unknown>): () => void {
  // Loading the page counts as the first poll.
  let last = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function pollNow(): void {
    if (document.visibilityState !== 'visible' || !navigator.onLine || Date.now() - last < leastMs) return;
    last = Date.now();
    poll().catch((error: unknown) => console.warn('The registry could not be read', error));
  }
  function schedule(): void {
    timer = setTimeout(
      () => {
        pollNow();
        schedule();
      },
      everyMs * (0.8 + 0.4 * Math.random()),
    );
  }

  schedule();
  document.addEventListener('visibilitychange', pollNow);
  addEventListener('online', pollNow);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', pollNow);
    removeEventListener('online', pollNow);
  };
}
