import { useQueryClient } from '@clinic/app-kit';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { useCallback, useState, useSyncExternalStore } from 'react';
import { appointmentLists } from '../appointments/appointment-lists.ts';

type Rows = readonly Appointment[];
/** The responses of {@link appointmentLists}: a page, a calendar, or a whole list. */
type Lists = { readonly rows: Rows } | { readonly appointments: Rows } | Rows;

const rowsOf = (lists: Lists): Rows =>
  'rows' in lists ? lists.rows : 'appointments' in lists ? lists.appointments : lists;

/**
 * An appointment as the page's lists have it now: dialogs are opened outside the rows, with what a row showed then.
 *
 * @returns as it was last listed, if no list has it any more
 */
export function useCurrentAppointment(opened: Appointment): Appointment {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback((changed: () => void) => cache.subscribe(changed), [cache]);
  const [known, setKnown] = useState(opened);
  const listed = useSyncExternalStore(subscribe, () =>
    appointmentLists
      .flatMap((call) => cache.findAll({ queryKey: [call], type: 'active' }))
      .toSorted((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
      .flatMap(({ state }) => (state.data ? rowsOf(state.data as Lists) : []))
      .find(({ _id }) => _id === opened._id),
  );
  if (listed && listed !== known) setKnown(listed);
  return listed ?? known;
}
