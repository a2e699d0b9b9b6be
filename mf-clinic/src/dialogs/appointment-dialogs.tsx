import type { Appointment } from '@clinic/contracts';
import { lazy, Suspense, useCallback, useState, type ReactNode } from 'react';
import { HistoryDialog } from '../history/history-dialog.tsx';
import { DialogsContext, type AppointmentDialog, type OpenDialog } from './use-appointment-dialogs.ts';

// Most who look at a list move nothing: the form comes when it is asked for.
const RescheduleDialog = lazy(async () => ({ default: (await import('../reschedule/reschedule-dialog.tsx')).RescheduleDialog }));

/**
 * Holds what rows open, outside of the rows: those come and go as lists are loaded again, and when a device that is turned
 * makes cards of a table, and nobody's choice may go with them.
 */
export function AppointmentDialogs({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<{ readonly dialog: AppointmentDialog; readonly appointment: Appointment }>();
  const open = useCallback<OpenDialog>((dialog, appointment) => setShown({ dialog, appointment }), []);
  const close = () => setShown(undefined);
  return (
    <DialogsContext value={open}>
      {children}
      {shown?.dialog === 'reschedule' && <Suspense><RescheduleDialog appointment={shown.appointment} onClose={close} /></Suspense>}
      {shown?.dialog === 'history' && <HistoryDialog appointment={shown.appointment} onClose={close} />}
    </DialogsContext>
  );
}
