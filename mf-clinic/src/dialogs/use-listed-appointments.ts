import { useQueryClient } from '@clinic/app-kit';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { useCallback, useSyncExternalStore } from 'react';
import { appointmentLists } from '@clinic/svc-clinic/contract/lists';

type Rows = readonly Appointment[];
/** The responses of {@link appointmentLists}: a page, a calendar, a day, or a whole list. */
type Lists = { readonly rows: Rows } | { readonly appointments: Rows } | { readonly visits: Rows } | Rows;

function rowsOf(lists: Lists): Rows {
  if ('rows' in lists) return lists.rows;
  if ('appointments' in lists) return lists.appointments;
  return 'visits' in lists ? lists.visits : lists;
}

/** The appointments of all lists on the page, those of the latest first. */
export function useListedAppointments(): Rows {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback((changed: () => void) => cache.subscribe(changed), [cache]);
  const lists = () =>
    appointmentLists
      .flatMap((call) => cache.findAll({ queryKey: [call], type: 'active' }))
      .toSorted((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt);
  useSyncExternalStore(subscribe, () =>
    lists()
      .map(({ queryHash, state }) => `${queryHash} ${state.dataUpdateCount}`)
      .join(),
  );
  return lists().flatMap(({ state }) => (state.data ? rowsOf(state.data as Lists) : []));
}
