import type { QueryClient } from '@tanstack/react-query';
import type { SessionStore } from '../session/session-types.ts';
import { ownChanges } from '../api/api-client.ts';
import { startLine } from './live-line.ts';
import { ReloadedLists } from './reloaded-lists.ts';

/** Starts the live line of this tab. */
export function startLive(session: SessionStore, client: QueryClient): void {
  const lists = new ReloadedLists(client);
  ownChanges.note = (attempt) => lists.note(attempt);
  startLine({ session, reload: (calls, by) => void lists.reload(calls, by) });
}
