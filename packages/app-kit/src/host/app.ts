import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import type { AccountActions } from '../session/account-actions.ts';
import { createApi } from '../api/api-client.ts';
import { isUnauthenticated, isWorthRetrying } from '../api/api-problem.ts';
import { isPublic } from '../api/call-table.ts';
import { forgetDrafts } from '../drafts/drafts.ts';
import { readConfig } from './config.ts';
import { keepLive } from '../live/keep-live.ts';
import { notify } from './notify.ts';
import { createSessionStore } from '../session/session-store.ts';
import type { SessionChannel } from '../session/session-types.ts';

// One page is one application: client, session and cache exist once and all front-ends share them.

/** The typed client of all REST calls. */
export const api = createApi({ refresh: () => session.refresh(), prove: () => session.prove() });

/** The session; components follow it with `useSession`. */
export const session = createSessionStore({
  api,
  hasHint: () => /(?:^|; )signed_in=1(?:;|$)/.test(document.cookie),
  loadProvider: async () => {
    const { openFirebase } = await import(/* webpackChunkName: "auth" */ '../session/firebase-auth.ts');
    return openFirebase(readConfig());
  },
  openChannel,
  tellOfWork: notify.info,
});

let actions: Promise<AccountActions> | undefined;

/** What people do with their own sign-in account; loaded on first use. */
export function openAccount(): Promise<AccountActions> {
  actions ??= import(/* webpackChunkName: "account" */ '../session/account-actions.ts').then(
    ({ createAccountActions }) => createAccountActions(session, api),
  );
  actions.catch(() => {
    actions = undefined;
  });
  return actions;
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      // Calls in flight while the session ends: the page says that it has.
      if (!session.get().ended || !isUnauthenticated(error)) console.error('Could not load', queryKey, error);
    },
  }),
  mutationCache: new MutationCache({ onError: (error) => console.error('Could not save', error) }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // A rejection stays one; only an unavailable server may be back a moment later.
      retry: (failures, error) => failures < 2 && isWorthRetrying(error),
      retryDelay: (failures) => 500 * 2 ** failures,
      // Being offline is a failure that the visitor sees, not an endless 'Loading...'.
      networkMode: 'always',
      // What failed or may have changed meanwhile is loaded once the network is back. With `always` above, only on request.
      refetchOnReconnect: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

let known = session.get().user;
session.subscribe(() => {
  const { user, ended } = session.get();
  if (ended === 'logout') forgetDrafts();
  if (user === known) return;
  if (known && user?.email !== known.email) {
    // One person's data must not be shown to the next. What everybody may see stays: pages may be waiting for it.
    queryClient.removeQueries({ predicate: ({ queryKey: [call] }) => !isPublic(call) });
  }
  known = user;
});

/** Keeps the session and what is on screen up to date by the browser's live line. */
export function followLive(): void {
  keepLive(session, queryClient);
}

function openChannel(): SessionChannel {
  if ('BroadcastChannel' in globalThis) return new BroadcastChannel('clinic-session');
  // Safari before 15.4: other tabs notice at their next call.
  return { postMessage: () => undefined, addEventListener: () => undefined };
}
