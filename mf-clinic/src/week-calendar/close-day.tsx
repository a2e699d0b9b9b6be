import { api, ApiProblem, formatDate, notify, useQueryClient } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { failureTitle, isUnknown } from '@clinic/contracts/outcome';
import { Alert, Button, Dialog } from '@clinic/ui';
import { useRef } from 'react';
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

const changeOf = ({ doctor, day, until }: ClosedDay, closed: boolean) => ({
  params: { id: doctor._id },
  body: { date: day.date, closed, ...(until !== undefined && { until }) },
});
const send = (day: ClosedDay, closed: boolean) => api.call('closeDay', changeOf(day, closed));

/** How many days, and which, for a notice about them. */
const inWords = (days: readonly ClosedDay[]): { readonly what: string; readonly which?: string } =>
  days.length === 1
    ? { what: days.map(nameOfDay).join('') }
    : { what: `${days.length} days`, which: days.map(nameOfDay).join('; ') };

/**
 * Closes days to new bookings before they are emptied: otherwise patients book the times that become free, with a doctor
 * who isn't there.
 *
 * @returns a function that says whether all are closed; if not, it has said why, or isn't wanted any more
 */
export function useClosing(): (days: readonly ClosedDay[], wanted: () => boolean) => Promise<boolean> {
  const client = useQueryClient();
  /** Days whose closing may have been done, although its answer was lost. */
  const lost = useRef(new Set<string>());
  const reload = () => Promise.all(touchedBySchedule.map((list) => client.invalidateQueries({ queryKey: [list] })));

  async function open(days: readonly ClosedDay[]): Promise<void> {
    const opened: ClosedDay[] = [];
    const failed: (readonly [ClosedDay, ApiProblem])[] = [];
    for (const day of days) {
      try {
        await send(day, false);
        opened.push(day);
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error;
        failed.push([day, error]);
      }
    }
    if (opened.length > 0) {
      const { what, which } = inWords(opened);
      notify.success(`${what}: open to bookings again`, which);
    }
    const [first] = failed;
    if (first) {
      const unsure = failed.some(([, problem]) => isUnknown(problem));
      const { what, which } = inWords(failed.map(([day]) => day));
      const title = unsure ? `${what}: we couldn’t confirm that patients can book again` : `${what}: still closed`;
      notify.error(title, [which && `${which}.`, reasonsOf(first[1])].filter(Boolean).join(' '));
    }
    await reload();
  }

  function tellClosed(days: readonly ClosedDay[]): void {
    if (days.length === 0) return;
    const { what, which } = inWords(days);
    notify.success(`${what}: closed to new bookings`, which, { label: 'Open again', run: () => open(days) });
  }

  return async (days, wanted) => {
    const closed: ClosedDay[] = [];
    try {
      for (const day of days) {
        if (!wanted()) return false;
        const name = nameOfDay(day);
        try {
          const { changed } = await send(day, true);
          if (changed || lost.current.has(name)) closed.push(day);
          lost.current.delete(name);
        } catch (error) {
          if (!(error instanceof ApiProblem)) throw error;
          if (isUnknown(error)) lost.current.add(name);
          notify.error(
            isUnknown(error) ? `${name}: we couldn’t confirm that it is closed` : `${name}: not closed`,
            `No appointment was changed. ${reasonsOf(error)}`,
          );
          return false;
        }
      }
      return true;
    } finally {
      tellClosed(closed);
      void reload();
    }
  };
}

/** Opens a day off, or its hours until a time, to bookings again. */
export function OpenDayDialog({ closed, onClose }: { readonly closed: ClosedDay; readonly onClose: () => void }) {
  const { doctor, day, until } = closed;
  const whole = until === undefined;
  const change = useChange('closeDay', {
    invalidates: touchedBySchedule,
    success: `Patients can book this ${whole ? 'day' : 'time'} again`,
    failure: false,
    onDone: onClose,
  });
  return (
    <Dialog
      open
      title={whole ? 'Day off' : 'Blocked time'}
      onClose={onClose}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            Keep it
          </Button>
          <Button busy={change.isPending} onClick={() => change.mutate(changeOf(closed, false))}>
            {whole ? 'Take the day off back' : 'Unblock'}
          </Button>
        </>
      }
    >
      <p>
        {formatDate(day.date)}
        {!whole && `, until ${shownTime(until)}`}. Patients will be able to book {doctor.name} then.
      </p>
      {change.error && (
        <Alert kind="error" title={failureTitle(change.error, 'Nothing has been changed')}>
          {reasonsOf(change.error)}
        </Alert>
      )}
    </Dialog>
  );
}
