/** Milliseconds between looks, give or take a fifth: pages that were opened by one event shall not ask together. */
export const everyMs = 5 * 60_000;

/** Milliseconds that are at least between two looks, however often somebody turns to the page. */
export const leastMs = 30_000;

/**
 * Looks every few minutes, and when the page is turned to again or the network is back. Nobody looks while the page can't be
 * seen or the machine is offline.
 *
 * @returns a function that ends it
 */
export function lookOften(look: () => Promise<unknown>): () => void {
  // The page itself is the first look.
  let last = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function lookNow(): void {
    if (document.visibilityState !== 'visible' || !navigator.onLine || Date.now() - last < leastMs) return;
    last = Date.now();
    look().catch((error: unknown) => console.warn('Nobody could be asked for news', error));
  }
  function schedule(): void {
    timer = setTimeout(() => {
      lookNow();
      schedule();
    }, everyMs * (0.8 + 0.4 * Math.random()));
  }

  schedule();
  document.addEventListener('visibilitychange', lookNow);
  addEventListener('online', lookNow);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', lookNow);
    removeEventListener('online', lookNow);
  };
}
