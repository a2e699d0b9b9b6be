import type { QueryClient } from '@tanstack/react-query';
import type { SessionStore } from '../session/session-types.ts';

/** Milliseconds until the code is fetched again after a failure. */
const retryEvery = 10_000;

/** Follows the browser's live line from the first log-in on. Its code is no part of a first visit, which has no session. */
export function keepLive(session: SessionStore, client: QueryClient): void {
  const start = (): void => {
    if (!session.get().user) return;
    stop();
    import(/* webpackChunkName: "live" */ './start-live.ts').then(
      ({ startLive }) => startLive(session, client),
      (error: unknown) => {
        console.warn('Live updates could not be loaded', error);
        setTimeout(start, retryEvery);
      },
    );
  };
  const stop = session.subscribe(start);
}
