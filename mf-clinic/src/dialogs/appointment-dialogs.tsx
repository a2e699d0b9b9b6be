import type { Appointment } from '@clinic/contracts';
import { lazy, Suspense, useCallback, useState, type ReactNode } from 'react';
import { HistoryDialog } from '../history/history-dialog.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { DialogsContext, type AppointmentDialog, type OpenDialog } from './use-appointment-dialogs.ts';

// Most people who view a list don't move anything, so the form loads on demand.
const RescheduleDialog = lazy(async () => ({
  default: (await import('../reschedule/reschedule-dialog.tsx')).RescheduleDialog,
}));

const WaitDialog = lazy(async () => ({ default: (await import('../waitlist/wait-dialog.tsx')).WaitDialog }));

const CorrectionDialog = lazy(async () => ({
  default: (await import('../correction/correction-dialog.tsx')).CorrectionDialog,
}));

const FollowUpsDialog = lazy(async () => ({
  default: (await import('../series/follow-ups-dialog.tsx')).FollowUpsDialog,
}));

const FollowingDialog = lazy(async () => ({
  default: (await import('../series/following-dialog.tsx')).FollowingDialog,
}));

/**
 * Holds the dialogs opened from rows, outside the rows: rows are replaced when lists reload and when a rotated device turns
 * the table into cards, and nobody's input may be lost with them.
 */
export function AppointmentDialogs({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<{ readonly dialog: AppointmentDialog; readonly appointment: Appointment }>();
  const open = useCallback<OpenDialog>((dialog, appointment) => setShown({ dialog, appointment }), []);
  const close = () => setShown(undefined);
  return (
    <DialogsContext value={open}>
      {children}
      {shown?.dialog === 'reschedule' && (
        <Suspense>
          <RescheduleDialog appointment={shown.appointment} onClose={close} />
        </Suspense>
      )}
      {shown?.dialog === 'cancel' && <CancelDialog appointment={shown.appointment} onClose={close} />}
      {shown?.dialog === 'correct' && (
        <Suspense>
          <CorrectionDialog appointment={shown.appointment} onClose={close} />
        </Suspense>
      )}
      {shown?.dialog === 'earlier' && (
        <Suspense>
          <WaitDialog
            target={{ appointment: shown.appointment }}
            email={shown.appointment.patientemail}
            onClose={close}
          />
        </Suspense>
      )}
      {shown?.dialog === 'followUps' && (
        <Suspense>
          <FollowUpsDialog appointment={shown.appointment} onClose={close} />
        </Suspense>
      )}
      {shown?.dialog === 'following' && (
        <Suspense>
          <FollowingDialog appointment={shown.appointment} onClose={close} />
        </Suspense>
      )}
      {shown?.dialog === 'history' && <HistoryDialog appointment={shown.appointment} onClose={close} />}
    </DialogsContext>
  );
}
