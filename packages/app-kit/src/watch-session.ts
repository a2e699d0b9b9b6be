import type { SessionStore } from './session-store.ts';

/**
 * Milliseconds between two looks at the session of a page that is seen. Calls learn of changed rights by their answers;
 * this is for the page that makes none. Asked in turns, not listened to: an open line a tab would use up the six
 * connections that a browser has for a server without HTTP/2.
 */
const lookEvery = 3_000;

/** The same while nobody answers. */
const lookAfterFailure = 15_000;

/**
 * Has an open page notice within seconds that its user has another role, is switched off or was logged out everywhere.
 * A hidden page costs nothing; it looks as soon as it is seen again.
 */
export function watchSession({ get, subscribe, check }: Pick<SessionStore, 'get' | 'subscribe' | 'check'>): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watched: string | undefined;

  function plan(delay: number): void {
    clearTimeout(timer);
    timer = get().user && document.visibilityState === 'visible' ? setTimeout(look, delay) : undefined;
  }

  function look(): void {
    check().then(
      () => plan(lookEvery),
      (error: unknown) => {
        console.warn('Nobody could say whether the session is still good', error);
        plan(lookAfterFailure);
      },
    );
  }

  subscribe(() => {
    const email = get().user?.email;
    if (email === watched) return;
    watched = email;
    plan(lookEvery);
  });
  document.addEventListener('visibilitychange', () => plan(0));
}
