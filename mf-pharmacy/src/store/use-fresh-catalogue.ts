import { useQueryClient } from '@clinic/app-kit';
import { useEffect } from 'react';

/** Milliseconds between polls of the catalogue. */
const pollEvery = 5_000;

/**
 * Shows a change of stock or price within seconds. Visitors have no session for a change stream, so a visible page
 * polls.
 */
export function useFreshCatalogue(): void {
  const client = useQueryClient();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible') return;
      void client.invalidateQueries({
        queryKey: ['listMedicines'],
        // A failure is shown before it is tried again: a request that hangs may end just before a poll.
        predicate: ({ state }) => Date.now() - state.errorUpdatedAt >= pollEvery,
      });
    }, pollEvery);
    return () => clearInterval(timer);
  }, [client]);
}
