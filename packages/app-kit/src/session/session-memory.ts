import { createStore, type Store } from '../host/store.ts';
import type { SessionState } from './session-types.ts';

/** What this tab knows of the session, and which responses about it are outdated. */
export interface SessionMemory extends Store<SessionState> {
  /** Somebody signed in or out: responses to earlier questions are outdated. */
  readonly become: (state: SessionState) => void;
  /** Takes the state that another tab has just learned from the server. */
  readonly adopt: (state: SessionState) => void;
  /** @returns whether nobody has signed in or out since this call */
  readonly sinceNow: () => () => boolean;
}

/** @param onEnd - called when nobody is signed in any more, before subscribers are notified */
export function createSessionMemory(onEnd: () => void): SessionMemory {
  const store = createStore<SessionState>({ user: undefined, loading: true });
  let generation = 0;
  function become(state: SessionState): void {
    generation += 1;
    if (!state.user) onEnd();
    store.set(state);
  }
  return {
    ...store,
    become,
    adopt(state) {
      if (JSON.stringify(state) !== JSON.stringify(store.get())) become(state);
    },
    sinceNow() {
      const before = generation;
      return () => before === generation;
    },
  };
}
