import { clinicMoment, formatShortDate, formatTime, useCall, useConfig } from '@clinic/app-kit';
import { Dialog, EmptyState, Spinner } from '@clinic/ui';
import { EarlierChanges } from '@clinic/ui/earlier-changes';
import { nameOfAppointment } from '../appointments/name-of-appointment.ts';
import { describeActor, describeEntry } from './describe-entry.ts';
import type { AppointmentDialogProps } from '../dialogs/use-appointment-dialogs.ts';
import { LoadError } from '../load-error.tsx';

/** An appointment's history, latest first. */
export function HistoryDialog({ appointment, onClose }: AppointmentDialogProps) {
  const { clinicTimeZone } = useConfig();
  const answer = useCall('getAppointmentHistory', { params: { id: appointment._id } }, { staleTime: 0 });
  const { data } = answer;
  return (
    <Dialog open title={`History: ${nameOfAppointment(appointment)}`} onClose={onClose}>
      {answer.isPending && <Spinner />}
      <LoadError title="Error loading the history" answer={answer} />
      {data?.length === 0 && <EmptyState icon="clock" title="There are no changes yet" />}
      <ol className="grid gap-4">
        {data?.map((entry) => {
          const { date, time } = clinicMoment(new Date(entry.at), clinicTimeZone);
          const actor = describeActor(entry, appointment);
          return (
            <li key={`${entry.at} ${entry.action}`} className="border-s-2 border-line ps-4">
              <p className="font-medium text-base-content">{describeEntry(entry)}</p>
              <p className="text-sm wrap-anywhere text-muted">
                <time dateTime={entry.at}>
                  {formatShortDate(date)}, {formatTime(time)}
                </time>
                {actor && ` by ${actor}`}
              </p>
            </li>
          );
        })}
      </ol>
      {data && <EarlierChanges entries={data} />}
    </Dialog>
  );
}
