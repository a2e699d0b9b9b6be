import type { CallId } from '@clinic/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { CallsWith } from '../api/call-table.ts';
import { followers } from '../live/followers.ts';

/** Ids of the calls that stream which lists changed. */
export type ChangeStreamId = CallsWith<{ readonly media: 'text/event-stream' }>;

/**
 * Keeps lists up to date while the page is visible: the browser's live line loads them again when anyone changes them, or, while their
 * stream is unavailable, every few seconds. A page in the background doesn't listen; it catches up once it is visible.
 *
 * @param stream - the call that streams the changes
 * @param lists - the lists on screen
 */
export function useLiveLists(stream: ChangeStreamId, lists: readonly CallId[]): void {
  const client = useQueryClient();
  const reload = useEffectEvent(() => {
    for (const list of lists) void client.invalidateQueries({ queryKey: [list] });
  });
  useEffect(() => {
    const follower = { stream, reload: () => reload() };
    followers.add(follower);
    const onVisibility = (): void => {
      if (document.visibilityState === 'visible') reload();
    };
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      followers.delete(follower);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [stream]);
}
