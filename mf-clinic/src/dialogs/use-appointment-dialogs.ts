import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { createContext, use } from 'react';

/** The dialogs of an appointment. */
export type AppointmentDialog =
  | 'reschedule'
  | 'history'
  | 'correct'
  | 'cancel'
  | 'earlier'
  | 'followUps'
  | 'following'
  | 'deletePatient'
  | 'answers';

export interface AppointmentDialogProps {
  readonly appointment: Appointment;
  readonly onClose: () => void;
}

export type OpenDialog = (dialog: AppointmentDialog, appointment: Appointment) => void;

export const DialogsContext = createContext<OpenDialog | undefined>(undefined);

/** Opens dialogs from within a row. @throws Error outside `AppointmentDialogs` */
export function useAppointmentDialogs(): OpenDialog {
  const open = use(DialogsContext);
  if (!open) throw new Error('There are no AppointmentDialogs around this row');
  return open;
}
