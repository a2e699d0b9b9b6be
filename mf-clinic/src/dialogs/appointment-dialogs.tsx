import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { lazy, Suspense, useCallback, useState, type ComponentType, type ReactNode } from 'react';
import { HistoryDialog } from '../history/history-dialog.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import {
  DialogsContext,
  type AppointmentDialog,
  type AppointmentDialogProps,
  type OpenDialog,
} from './use-appointment-dialogs.ts';

// Most people who view a list don't move anything, so the forms load on demand.
const dialogs: Readonly<Record<AppointmentDialog, ComponentType<AppointmentDialogProps>>> = {
  cancel: CancelDialog,
  history: HistoryDialog,
  reschedule: lazy(async () => ({ default: (await import('../reschedule/reschedule-dialog.tsx')).RescheduleDialog })),
  earlier: lazy(async () => ({ default: (await import('../waitlist/wait-dialog.tsx')).EarlierDialog })),
  correct: lazy(async () => ({ default: (await import('../correction/correction-dialog.tsx')).CorrectionDialog })),
  followUps: lazy(async () => ({ default: (await import('../series/follow-ups-dialog.tsx')).FollowUpsDialog })),
  following: lazy(async () => ({ default: (await import('../series/following-dialog.tsx')).FollowingDialog })),
};

/**
 * Holds the dialogs opened from rows, outside the rows: rows are replaced when lists reload and when a rotated device turns
 * the table into cards, and nobody's input may be lost with them.
 */
export function AppointmentDialogs({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<{ readonly dialog: AppointmentDialog; readonly appointment: Appointment }>();
  const open = useCallback<OpenDialog>((dialog, appointment) => setShown({ dialog, appointment }), []);
  const Shown = shown && dialogs[shown.dialog];
  return (
    <DialogsContext value={open}>
      {children}
      {Shown && (
        <Suspense>
          <Shown appointment={shown.appointment} onClose={() => setShown(undefined)} />
        </Suspense>
      )}
    </DialogsContext>
  );
}
