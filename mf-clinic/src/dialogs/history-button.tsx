import type { Appointment } from '@clinic/contracts';
import { ActionButton } from '../action-button.tsx';
import { nameOfAppointment } from '../appointments/name-of-appointment.ts';
import { useAppointmentDialogs } from './use-appointment-dialogs.ts';

/** Opens an appointment's history. */
export function HistoryButton({ appointment }: { readonly appointment: Appointment }) {
  const open = useAppointmentDialogs();
  return (
    <ActionButton
      icon="clock"
      text="History"
      label={`History: ${nameOfAppointment(appointment)}`}
      onClick={() => open('history', appointment)}
    />
  );
}
