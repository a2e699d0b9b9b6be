import type { SessionStore } from './session-store.ts';

/**
 * Milliseconds between two checks of the session on a visible page. Calls learn of changed rights from their responses; this
 * is for pages that make none. Polled instead of streamed: an open connection per tab would use up the six that a browser
 * has for a server without HTTP/2.
 */
const pollEvery = 3_000;

/** The same after a failure. */
const pollAfterFailure = 15_000;

/**
 * Lets an open page notice within seconds that its user has another role, is switched off or was logged out everywhere. A
 * hidden page costs nothing; it checks as soon as it is visible again.
 */
export function watchSession({ get, subscribe, check }: Pick<SessionStore, 'get' | 'subscribe' | 'check'>): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watched: string | undefined;

  function plan(delay: number): void {
    clearTimeout(timer);
    timer = get().user && document.visibilityState === 'visible' ? setTimeout(poll, delay) : undefined;
  }

  function poll(): void {
    check().then(
      () => plan(pollEvery),
      (error: unknown) => {
        console.warn('The session could not be checked', error);
        plan(pollAfterFailure);
      },
    );
  }

  subscribe(() => {
    const email = get().user?.email;
    if (email === watched) return;
    watched = email;
    plan(pollEvery);
  });
  document.addEventListener('visibilitychange', () => plan(0));
}
