import { api, ApiProblem, formatDate, notify, useQueryClient } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { failureTitle } from '@clinic/contracts/outcome';
import { Alert, Button, Dialog } from '@clinic/ui';
import { reasonsOf } from '../rejection.tsx';
import { touchedBySchedule } from '../schedule/calls.ts';
import { shownTime, type DayColumn } from './grid-layout.ts';
import './calls.ts';

/** A day that is emptied, or its part before a time. */
export interface ClosedDay extends Pick<DayColumn, 'doctor' | 'day'> {
  readonly until?: string | undefined;
}

/** 'Dr. Grey, Tue 5 Jan', or with the time until which it is closed. */
export const nameOfDay = ({ doctor, day, until }: ClosedDay): string =>
  `${doctor.name}, ${formatDate(day.date)}${until === undefined ? '' : ` until ${shownTime(until)}`}`;

const send = ({ doctor, day, until }: ClosedDay, closed: boolean) =>
  api.call('closeDay', {
    params: { id: doctor._id },
    body: { date: day.date, closed, ...(until !== undefined && { until }) },
  });

/**
 * Closes days for new bookings before they are emptied: otherwise patients book the times that become free, with a doctor
 * who isn't there.
 *
 * @returns a function that says whether all are closed; if not, why
 */
export function useClosing(): (days: readonly ClosedDay[]) => Promise<boolean> {
  const client = useQueryClient();
  const reload = () => Promise.all(touchedBySchedule.map((list) => client.invalidateQueries({ queryKey: [list] })));

  async function open(day: ClosedDay): Promise<void> {
    try {
      await send(day, false);
      notify.success(`${nameOfDay(day)}: open for bookings again`);
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      notify.error(failureTitle(error, `${nameOfDay(day)}: still closed`), reasonsOf(error));
    }
    await reload();
  }

  return async (days) => {
    for (const day of days) {
      try {
        const { changed } = await send(day, true);
        if (changed)
          notify.success(`${nameOfDay(day)}: closed for new bookings`, undefined, {
            label: 'Open again',
            run: () => open(day),
          });
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error;
        notify.error(
          failureTitle(error, `${nameOfDay(day)}: not closed, so nothing else was changed`),
          reasonsOf(error),
        );
        return false;
      }
    }
    void reload();
    return true;
  };
}

/** Opens a day off for bookings again. */
export function OpenDayDialog({ column, onClose }: { readonly column: DayColumn; readonly onClose: () => void }) {
  const { doctor, day } = column;
  const change = useChange('closeDay', {
    invalidates: touchedBySchedule,
    success: 'Patients can book this day again',
    failure: false,
    onDone: onClose,
  });
  return (
    <Dialog
      open
      title="Day off"
      onClose={onClose}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            Keep it
          </Button>
          <Button
            busy={change.isPending}
            onClick={() => change.mutate({ params: { id: doctor._id }, body: { date: day.date, closed: false } })}
          >
            Take the day off back
          </Button>
        </>
      }
    >
      <p>
        {formatDate(day.date)}. Patients will be able to book {doctor.name} then.
      </p>
      {change.error && (
        <Alert kind="error" title={failureTitle(change.error, 'Nothing has been changed')}>
          {reasonsOf(change.error)}
        </Alert>
      )}
    </Dialog>
  );
}
