import type { Api } from '../api/api-client.ts';
import { ApiProblem, isRejection, isWorthRetrying } from '../api/api-problem.ts';
import type { SessionMemory } from './session-memory.ts';
import type { SessionSettings } from './session-types.ts';

/**
 * The calls that find out who is signed in.
 *
 * @param signInsSettled - waits until no sign-in is in flight
 */
export function createSessionPolls(api: Api, memory: SessionMemory, signInsSettled: () => Promise<unknown>) {
  let refreshing: Promise<boolean> | undefined;

  async function refreshOnce(): Promise<boolean> {
    // A sign-in ends the old session: refreshed meanwhile, that one would look like a log-out.
    await signInsSettled();
    const isCurrent = memory.sinceNow();
    try {
      const { user } = await api.call('refreshSession');
      if (isCurrent()) memory.set({ user, loading: false });
      return true;
    } catch (error) {
      if (!isRejection(error)) throw error;
      if (isCurrent()) memory.become({ user: undefined, loading: false, ended: endOf(error) });
      return false;
    }
  }

  async function refresh(): Promise<boolean> {
    const { user, loading, unreachable } = memory.get();
    // Nobody is signed in: there is nothing to refresh, and how the session ended stays unchanged.
    if (!user && !loading && !unreachable) return false;
    refreshing ??= refreshOnce().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  }

  return {
    refresh,

    /** Fetches the session for the first time. */
    ask: async (signal?: AbortSignal): Promise<void> => {
      const isCurrent = memory.sinceNow();
      try {
        const { user } = await api.call('getSession', signal ? { signal } : {});
        if (isCurrent()) memory.become({ user, loading: false });
      } catch (error) {
        if (!isRejection(error)) throw error;
        await refresh();
      }
    },

    check: async (): Promise<void> => {
      const before = memory.get().user;
      if (!before) return;
      const isCurrent = memory.sinceNow();
      try {
        const { user } = await api.call('getSession');
        if (isCurrent() && JSON.stringify(user) !== JSON.stringify(before)) memory.set({ user, loading: false });
      } catch (error) {
        if (!isRejection(error)) throw error;
        await refresh();
      }
    },
  };
}

/** @returns finds out who is signed in, and keeps trying while the server doesn't answer */
export function createSessionLoader(
  { hasHint, retryDelays = [400, 1200, 3000], askAgainAfter = 2000 }: SessionSettings,
  memory: SessionMemory,
  ask: (signal?: AbortSignal) => Promise<void>,
) {
  let askingAgain: ReturnType<typeof setTimeout> | undefined;

  /** Retries until the server answers, so that no page stays blocked longer than the server is unavailable. */
  function askAgainLater(): void {
    clearTimeout(askingAgain);
    askingAgain = setTimeout(() => {
      if (!memory.get().unreachable) return;
      // Log it once; an attempt that hangs must not keep the next one from reaching the server.
      ask(AbortSignal.timeout(askAgainAfter))
        .catch(() => undefined)
        .finally(() => {
          if (memory.get().unreachable) askAgainLater();
        });
    }, askAgainAfter);
  }

  return async function load(): Promise<void> {
    if (!hasHint()) return memory.become({ user: undefined, loading: false });
    const isCurrent = memory.sinceNow();
    for (const delay of [...retryDelays, undefined]) {
      try {
        return await ask();
      } catch (error) {
        if (delay === undefined || !isWorthRetrying(error)) {
          console.error('Could not find out who is signed in', error);
          if (!isCurrent()) return;
          memory.set({ ...memory.get(), loading: false, unreachable: true });
          return askAgainLater();
        }
        await new Promise((resolve) => setTimeout(resolve, delay));
      }
    }
  };
}

/** @param error - the rejection of a refresh */
function endOf(error: unknown): 'expired' | 'everywhere' | 'disabled' {
  const code = error instanceof ApiProblem ? error.code : undefined;
  if (code === 'account_disabled') return 'disabled';
  return code === 'session_ended' ? 'everywhere' : 'expired';
}
