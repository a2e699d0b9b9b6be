import { useSession } from '@clinic/app-kit';
import type { Appointment } from '@clinic/contracts';
import { ActionButton } from '../action-button.tsx';
import { actorsFor } from '../appointments/may-change.ts';
import { nameOfAppointment } from '../appointments/name-of-appointment.ts';
import { useAppointmentDialogs } from './use-appointment-dialogs.ts';

/** Opens the correction of the patient's details, for the appointment's doctor and admins. */
export function CorrectButton({ appointment }: { readonly appointment: Appointment }) {
  const { user, role } = useSession();
  const open = useAppointmentDialogs();
  const actors = actorsFor(appointment, user?.email, role);
  if (!actors.includes('admin') && !actors.includes('doctor')) return null;
  return (
    <ActionButton
      icon="user"
      text="Correct details"
      label={`Correct details: ${nameOfAppointment(appointment)}`}
      onClick={() => open('correct', appointment)}
    />
  );
}
