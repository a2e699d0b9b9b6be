import { formatDate, formatTime, useCall } from '@clinic/app-kit';
import { Dialog, EmptyState, Spinner } from '@clinic/ui';
import { RescheduleForm } from './reschedule-form.tsx';
import type { AppointmentDialogProps } from '../dialogs/use-appointment-dialogs.ts';
import { LoadError } from '../load-error.tsx';

/** Choice of another slot with the same doctor. */
export function RescheduleDialog({ appointment, onClose }: AppointmentDialogProps) {
  const { patientname, doctorname, doctoremail, date, time } = appointment;
  const answer = useCall('listDoctors', { query: { email: doctoremail, limit: 1 } });
  const doctor = Array.isArray(answer.data) ? answer.data[0] : answer.data;
  return (
    <Dialog open wide title="Reschedule" onClose={onClose}>
      <p className="mb-6">
        {patientname} with {doctorname}, now on{' '}
        <strong className="whitespace-nowrap">
          {formatDate(date)} at {formatTime(time)}
        </strong>
        .
      </p>
      {answer.isPending && <Spinner />}
      <LoadError title="Error loading doctor" answer={answer} />
      {answer.data && !doctor && (
        <EmptyState
          icon="user"
          title="This doctor no longer works here"
          text="Cancel the appointment and book another doctor."
        />
      )}
      {doctor && <RescheduleForm appointment={appointment} doctor={doctor} onClose={onClose} />}
    </Dialog>
  );
}
