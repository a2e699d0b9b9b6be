import { formatDate, formatTime } from '@clinic/app-kit';
import { ConfirmDialog } from '@clinic/ui/tables';
import { otherPerson } from '../appointments/name-of-appointment.ts';
import { useStatusChange } from '../appointments/use-status-change.ts';
import type { AppointmentDialogProps } from './use-appointment-dialogs.ts';

/** Asks before an appointment is cancelled. */
export function CancelDialog({ appointment, onClose }: AppointmentDialogProps) {
  const change = useStatusChange();
  const { _id: id, date, time } = appointment;
  return (
    <ConfirmDialog
      open
      destructive
      title={`Cancel your appointment with ${otherPerson(appointment)}?`}
      confirmLabel="Cancel appointment"
      cancelLabel="Keep it"
      busy={change.isPending}
      onConfirm={() => change.mutate({ params: { id }, body: { newStatus: 'Cancelled' } }, { onSettled: onClose })}
      onCancel={onClose}
    >
      {formatDate(date)} at {formatTime(time)}. Someone else can then book this time. You can’t undo this.
    </ConfirmDialog>
  );
}
