import { useSession } from '@clinic/app-kit';
import { useClinicNow } from '@clinic/app-kit/clinic-today';
import type { Appointment } from '@clinic/contracts';
import { isErasedEmail } from '@clinic/contracts/erased-person';
import { ActionButton } from '../action-button.tsx';
import { actorsFor, isOver, mayCancel } from '../appointments/may-change.ts';
import { nameOfAppointment } from '../appointments/name-of-appointment.ts';
import { useAppointmentDialogs } from '../dialogs/use-appointment-dialogs.ts';

interface ButtonProps {
  readonly appointment: Appointment;
}

/** Opens the booking of further appointments, for the appointment's doctor and admins. */
export function FollowUpButton({ appointment }: ButtonProps) {
  const { user, role } = useSession();
  const open = useAppointmentDialogs();
  const actors = actorsFor(appointment, user?.email, role);
  const staff = actors.includes('admin') || actors.includes('doctor');
  if (!staff || isErasedEmail(appointment.patientemail)) return null;
  return (
    <ActionButton
      icon="plus"
      text="Follow-ups"
      label={`Book follow-ups: ${nameOfAppointment(appointment)}`}
      onClick={() => open('followUps', appointment)}
    />
  );
}

/** Opens what can be done with an appointment of a series and those that follow. */
export function FollowingButton({ appointment }: ButtonProps) {
  const { user, role } = useSession();
  const open = useAppointmentDialogs();
  const now = useClinicNow();
  const { series } = appointment;
  if (!series || series.number === series.of || isOver(appointment, now)) return null;
  if (!mayCancel(appointment, actorsFor(appointment, user?.email, role))) return null;
  return (
    <ActionButton
      icon="calendar"
      text="This and following"
      label={`This and the following ones: ${nameOfAppointment(appointment)}`}
      onClick={() => open('following', appointment)}
    />
  );
}
