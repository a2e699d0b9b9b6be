import { useClinicNow } from '@clinic/app-kit/clinic-today';
import type { Appointment } from '@clinic/contracts';
import { ActionButton } from '../action-button.tsx';
import { isOver } from '../appointments/may-change.ts';
import { nameOfAppointment } from '../appointments/name-of-appointment.ts';
import { useAppointmentDialogs } from './use-appointment-dialogs.ts';

/** Puts the patient on the waitlist for an earlier time of an upcoming appointment. */
export function EarlierButton({ appointment }: { readonly appointment: Appointment }) {
  const open = useAppointmentDialogs();
  const now = useClinicNow();
  if (appointment.status === 'Cancelled' || isOver(appointment, now)) return null;
  return (
    <ActionButton
      icon="clock"
      text="Wait for an earlier time"
      label={`Wait for an earlier time: ${nameOfAppointment(appointment)}`}
      onClick={() => open('earlier', appointment)}
    />
  );
}
