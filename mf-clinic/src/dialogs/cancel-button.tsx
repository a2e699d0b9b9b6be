import { useSession } from '@clinic/app-kit';
import { useClinicNow } from '@clinic/app-kit/clinic-today';
import type { Appointment } from '@clinic/contracts';
import { Button } from '@clinic/ui';
import { actorsFor, isOver, mayCancel } from '../appointments/may-change.ts';
import { nameOfAppointment } from '../appointments/name-of-appointment.ts';
import { useAppointmentDialogs } from './use-appointment-dialogs.ts';

/** Cancels an upcoming appointment after a confirmation; hidden from people who aren't allowed to. */
export function CancelButton({ appointment }: { readonly appointment: Appointment }) {
  const { user, role } = useSession();
  const open = useAppointmentDialogs();
  const now = useClinicNow();
  if (isOver(appointment, now) || !mayCancel(appointment, actorsFor(appointment, user?.email, role))) return null;
  return (
    <Button
      size="sm"
      variant="ghost"
      icon="x-circle"
      aria-label={`Cancel: ${nameOfAppointment(appointment)}`}
      onClick={() => open('cancel', appointment)}
    >
      Cancel
    </Button>
  );
}
