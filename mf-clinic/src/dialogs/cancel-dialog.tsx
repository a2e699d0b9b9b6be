import { formatDate, formatTime } from '@clinic/app-kit';
import { ConfirmDialog } from '@clinic/ui/tables';
import { useActors } from '../appointments/may-change.ts';
import { otherPerson } from '../appointments/name-of-appointment.ts';
import { statusChange, useStatusChange } from '../appointments/use-status-change.ts';
import type { AppointmentDialogProps } from './use-appointment-dialogs.ts';

/** Asks before an appointment is cancelled. */
export function CancelDialog({ appointment, onClose }: AppointmentDialogProps) {
  const change = useStatusChange();
  const { patientname, doctorname, date, time } = appointment;
  const own = useActors(appointment).some((actor) => actor !== 'admin');
  return (
    <ConfirmDialog
      open
      destructive
      title={
        own
          ? `Cancel your appointment with ${otherPerson(appointment)}?`
          : `Cancel ${patientname}’s appointment with ${doctorname}?`
      }
      confirmLabel="Cancel appointment"
      cancelLabel="Keep it"
      busy={change.isPending}
      onConfirm={() => change.mutate(statusChange(appointment, 'Cancelled'), { onSettled: onClose })}
      onCancel={onClose}
    >
      {formatDate(date)} at {formatTime(time)}. Someone else can then book this time. You can’t undo this.
    </ConfirmDialog>
  );
}
