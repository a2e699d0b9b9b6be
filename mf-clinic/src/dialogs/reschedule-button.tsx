import { useSession } from '@clinic/app-kit';
import { useClinicNow } from '@clinic/app-kit/clinic-today';
import type { Appointment } from '@clinic/contracts';
import { ActionButton } from '../action-button.tsx';
import { actorsFor, isOver, mayMove } from '../appointments/may-change.ts';
import { nameOfAppointment } from '../appointments/name-of-appointment.ts';
import { useAppointmentDialogs } from './use-appointment-dialogs.ts';

interface RescheduleButtonProps {
  readonly appointment: Appointment;
  /** The row's first action. */
  readonly first?: boolean;
}

/** Opens the choice of another slot, for people who may move the appointment. */
export function RescheduleButton({ appointment, first }: RescheduleButtonProps) {
  const { user, role } = useSession();
  const open = useAppointmentDialogs();
  const now = useClinicNow();
  if (isOver(appointment, now) || !mayMove(appointment, actorsFor(appointment, user?.email, role))) return null;
  return (
    <ActionButton
      icon="edit"
      text="Reschedule"
      first={first}
      label={`Reschedule: ${nameOfAppointment(appointment)}`}
      onClick={() => open('reschedule', appointment)}
    />
  );
}
