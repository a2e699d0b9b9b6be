import type { CallId } from '@clinic/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { routeOf, type CallsWith } from './call-table.ts';
import { followChanges } from './follow-changes.ts';

/** Ids of the calls that tell which lists changed. */
export type ChangeStreamId = CallsWith<{ readonly media: 'text/event-stream' }>;

/**
 * Keeps lists up to date while the page is seen: loads them again within seconds of a change by anyone. A page in the
 * background listens to nothing, as browsers allow a site six connections over HTTP/1.1, and catches up once it is seen.
 *
 * @param stream - the call that tells the changes
 * @param lists - what is on the screen
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
      stop = document.visibilityState === 'hidden' ? undefined : followChanges(routeOf(stream).path, (changed) => reload(changed));
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
