import { formatDate, formatTime, useCall } from '@clinic/app-kit';
import type { Appointment } from '@clinic/contracts';
import { Dialog, EmptyState, ErrorState, Spinner } from '@clinic/ui';
import { RescheduleForm } from './reschedule-form.tsx';

interface RescheduleDialogProps {
  readonly appointment: Appointment;
  readonly onClose: () => void;
}

/** Choice of another slot with the same doctor. */
export function RescheduleDialog({ appointment, onClose }: RescheduleDialogProps) {
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
      {answer.isError && !answer.data && (
        <ErrorState title="Error loading doctor" text={answer.error.message} onRetry={() => void answer.refetch()} />
      )}
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
