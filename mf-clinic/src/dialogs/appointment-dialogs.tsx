import { useOpened } from '@clinic/app-kit/opened';
import { lazy, Suspense, useCallback, useState, type ComponentType, type ReactNode } from 'react';
import { HistoryDialog } from '../history/history-dialog.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { useListedAppointments } from './use-listed-appointments.ts';
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
  deletePatient: lazy(async () => ({ default: (await import('./delete-patient-dialog.tsx')).DeletePatientDialog })),
  answers: lazy(async () => ({ default: (await import('../questions/answers-dialog.tsx')).AnswersDialog })),
  following: lazy(async () => ({ default: (await import('../series/following-dialog.tsx')).FollowingDialog })),
};

/**
 * Holds the dialogs opened from rows, outside the rows: rows are replaced when lists reload and when a rotated device turns
 * the table into cards, and nobody's input may be lost with them.
 */
export function AppointmentDialogs({ children }: { readonly children: ReactNode }) {
  const [opened, open] = useOpened(useListedAppointments(), ({ _id }) => _id);
  const [dialog, setDialog] = useState<AppointmentDialog>('history');
  const openDialog = useCallback<OpenDialog>(
    (chosen, appointment) => {
      setDialog(chosen);
      open(appointment);
    },
    [open],
  );
  const Shown = dialogs[dialog];
  return (
    <DialogsContext value={openDialog}>
      {children}
      {opened && (
        <Suspense>
          <Shown appointment={opened} onClose={() => open()} />
        </Suspense>
      )}
    </DialogsContext>
  );
}
