import type { CallId } from '@clinic/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { routeOf, type CallsWith } from '../api/call-table.ts';
import { followChanges } from './follow-changes.ts';

/** Ids of the calls that stream which lists changed. */
export type ChangeStreamId = CallsWith<{ readonly media: 'text/event-stream' }>;

/**
 * Keeps lists up to date while the page is visible: loads them again within seconds of a change by anyone. A page in the
 * background doesn't listen, because browsers allow a site six connections over HTTP/1.1; it catches up once it is visible.
 *
 * @param stream - the call that streams the changes
 * @param lists - the lists on screen
 */
export function useLiveLists(stream: ChangeStreamId, lists: readonly CallId[]): void {
  const client = useQueryClient();
  const reload = useEffectEvent((changed: readonly string[] = lists) => {
    for (const list of lists) if (changed.includes(list)) void client.invalidateQueries({ queryKey: [list] });
  });
  useEffect(() => {
    let stop: (() => void) | undefined;
    const follow = (): void => {
      stop?.();
      stop =
        document.visibilityState === 'hidden'
          ? undefined
          : followChanges(routeOf(stream).path, (changed) => reload(changed));
    };
    const onVisibility = (): void => {
      follow();
      if (stop) reload();
    };
    follow();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      stop?.();
    };
  }, [stream]);
}
