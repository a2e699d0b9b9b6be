import { clinicMoment, formatShortDate, formatTime, useCall, useConfig } from '@clinic/app-kit';
import type { Appointment } from '@clinic/contracts';
import { Dialog, EmptyState, ErrorState, Spinner } from '@clinic/ui';
import { useState } from 'react';
import { ActionButton } from '../action-button.tsx';
import { nameOfAppointment } from '../appointments/name-of-appointment.ts';
import { describeActor, describeEntry } from './describe-entry.ts';

/** Opens what happened to an appointment. */
export function HistoryButton({ appointment }: { readonly appointment: Appointment }) {
  const [open, setOpen] = useState(false);
  const title = `History: ${nameOfAppointment(appointment)}`;
  return (
    <>
      <ActionButton icon="clock" text="History" label={title} onClick={() => setOpen(true)} />
      {open && <HistoryDialog id={appointment._id} title={title} onClose={() => setOpen(false)} />}
    </>
  );
}

interface HistoryDialogProps {
  readonly id: string;
  readonly title: string;
  readonly onClose: () => void;
}

function HistoryDialog({ id, title, onClose }: HistoryDialogProps) {
  const { clinicTimeZone } = useConfig();
  const { data, error, isPending, refetch } = useCall('getAppointmentHistory', { params: { id } }, { staleTime: 0 });
  return (
    <Dialog open title={title} onClose={onClose}>
      {isPending && <Spinner />}
      {error && !data && <ErrorState title="Error loading the history" text={error.message} onRetry={() => void refetch()} />}
      {data?.length === 0 && <EmptyState icon="clock" title="No change is on record" />}
      <ol className="grid gap-4">
        {data?.map((entry) => {
          const { date, time } = clinicMoment(new Date(entry.at), clinicTimeZone);
          const actor = describeActor(entry);
          return (
            <li key={`${entry.at} ${entry.action}`} className="border-s-2 border-line ps-4">
              <p className="font-medium text-base-content">{describeEntry(entry)}</p>
              <p className="text-sm wrap-anywhere text-muted">
                <time dateTime={entry.at}>{formatShortDate(date)}, {formatTime(time)}</time>{actor && ` by ${actor}`}
              </p>
            </li>
          );
        })}
      </ol>
    </Dialog>
  );
}
