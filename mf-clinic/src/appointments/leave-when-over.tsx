import { useQueryClient } from '@clinic/app-kit';
import { useClinicNow } from '@clinic/app-kit/clinic-today';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { useEffect } from 'react';
import { isOver } from './may-change.ts';

/** Reloads a list of upcoming appointments when one of them starts, so that an open page moves it to the past ones. */
export function LeaveWhenOver({ appointments }: { readonly appointments: readonly Appointment[] }) {
  const client = useQueryClient();
  const now = useClinicNow();
  const stale = appointments.some((one) => isOver(one, now));
  useEffect(() => {
    if (!stale) return;
    for (const list of ['listAppointments', 'listUnconfirmedAppointments'])
      void client.invalidateQueries({ queryKey: [list] });
    // Each minute until it has left the list: the server's clock may be a little behind.
  }, [stale, now, client]);
  return null;
}
