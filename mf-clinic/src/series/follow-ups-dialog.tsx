import { addDays } from '@clinic/app-kit';
import type { Appointment } from '@clinic/contracts';
import { SeriesDialog } from './series-dialog.tsx';

interface FollowUpsDialogProps {
  readonly appointment: Appointment;
  readonly onClose: () => void;
}

/** Books follow-ups of an appointment, with the same patient and doctor. */
export function FollowUpsDialog({ appointment, onClose }: FollowUpsDialogProps) {
  const { _id: from, patientname, date, time } = appointment;
  return (
    <SeriesDialog
      title={`Follow-ups for ${patientname}`}
      whom={{ from }}
      first={{ date: addDays(date, 7), time }}
      suggested={1}
      onBooked={onClose}
      onClose={onClose}
    />
  );
}
