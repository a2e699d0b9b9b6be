import { addDays } from '@clinic/app-kit';
import { SeriesDialog } from './series-dialog.tsx';
import type { AppointmentDialogProps } from '../dialogs/use-appointment-dialogs.ts';

/** Books follow-ups of an appointment, with the same patient and doctor. */
export function FollowUpsDialog({ appointment, onClose }: AppointmentDialogProps) {
  const { _id: from, patientname, doctorname, doctoremail, date, time } = appointment;
  return (
    <SeriesDialog
      title={`Follow-ups for ${patientname} with ${doctorname}`}
      whom={{ from, seen: { doctoremail } }}
      first={{ date: addDays(date, 7), time }}
      suggested={1}
      onBooked={onClose}
      onClose={onClose}
    />
  );
}
