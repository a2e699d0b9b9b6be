import { formatDate, useCall } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import type { CallBody } from '@clinic/contracts';
import type { Schedule } from '@clinic/svc-clinic/contract/schedule-schemas';
import { minuteOf, minutesOfSpan } from '@clinic/contracts/clinic-time';
import { failureTitle } from '@clinic/contracts/outcome';
import { Alert, Button, DateField, Dialog, Spinner, TextField } from '@clinic/ui';
import { useState, type ReactNode } from 'react';
import { Choice } from '../choice.tsx';
import { touchedBySchedule } from '../schedule/calls.ts';
import { fromField, spanFault, toField } from '../schedule/draft.ts';
import { LoadError } from '../load-error.tsx';
import { reasonsOf } from '../rejection.tsx';
import { shownSpan, type Block, type DayColumn } from './grid-layout.ts';

/** A free time, to be booked or blocked. */
export interface SlotTarget {
  readonly column: DayColumn;
  readonly from: string;
  readonly until: string;
}

/** Blocked time that is opened again. */
export interface UnblockTarget {
  readonly column: DayColumn;
  readonly exception: Block['exception'];
}

interface BlockDialogProps {
  readonly target: SlotTarget;
  readonly today: string;
  readonly onClose: () => void;
}

type Change = Omit<CallBody<'changeSchedule'>, 'version'>;

/**
 * Saves a change of the schedule as it is on screen: if somebody else has changed the same part meanwhile it is rejected, and
 * the dialog has their schedule for the next attempt.
 */
function useScheduleChange(doctorId: string, success: string, onClose: () => void) {
  const answer = useCall('getSchedule', { params: { id: doctorId } }, { staleTime: 0 });
  const change = useChange('changeSchedule', {
    invalidates: touchedBySchedule,
    success,
    failure: false,
    onDone: onClose,
    onError: () => void answer.refetch(),
  });
  return {
    answer,
    busy: change.isPending,
    failure: change.error,
    save: (fields: (schedule: Schedule) => Change): void => {
      const schedule = answer.data;
      if (!schedule) return;
      change.mutate({ params: { id: doctorId }, body: { version: schedule.version, ...fields(schedule) } });
    },
  };
}

type ScheduleChange = ReturnType<typeof useScheduleChange>;

/** The schedule's states around what a dialog says. */
function WithSchedule({
  change: { answer, failure },
  children,
}: {
  readonly change: ScheduleChange;
  readonly children: (schedule: Schedule) => ReactNode;
}) {
  return (
    <div className="grid gap-4">
      {answer.isPending && <Spinner />}
      <LoadError title="Error loading hours" answer={answer} />
      {answer.data && children(answer.data)}
      {failure && (
        <Alert kind="error" title={failureTitle(failure, 'Nothing has been changed')}>
          {failure.code === 'changed_meanwhile'
            ? 'Someone else has just changed these hours. Check the calendar, and try again.'
            : reasonsOf(failure)}
        </Alert>
      )}
    </div>
  );
}

/** Blocks time, so that patients can't book it. */
export function BlockDialog({ target: { column, ...span }, today, onClose }: BlockDialogProps) {
  const { doctor } = column;
  const [date, setDate] = useState(column.day.date);
  const [from, setFrom] = useState(span.from);
  const [until, setUntil] = useState(toField(span.until));
  const [whole, setWhole] = useState(doctor.anyTime);
  const [fault, setFault] = useState<string>();
  const change = useScheduleChange(doctor._id, 'Time blocked', onClose);
  const booked =
    date === column.day.date
      ? column.appointments.filter(({ time, ends }) => whole || isWithin({ time, ends }, { from, until })).length
      : 0;

  function block(): void {
    const wrong = faultOf();
    setFault(wrong);
    if (wrong !== undefined) return;
    change.save(({ daysOff, exceptions }) =>
      whole
        ? { daysOff: [...new Set([...daysOff, date])] }
        : {
            exceptions: [
              // Blocked already by an attempt whose response was lost.
              ...exceptions.filter((one) => !isOff(one, { date, from, until: fromField(until) })),
              { date, kind: 'off', from, until: fromField(until), place: '' },
            ],
          },
    );
  }

  function faultOf(): string | undefined {
    if (date === '') return 'Date is required';
    if (date < today) return 'This day is in the past';
    return whole ? undefined : spanFault(from, until);
  }

  return (
    <Dialog
      open
      title={`${formatDate(column.day.date)}, ${shownSpan(span.from, span.until)}`}
      onClose={onClose}
      actions={
        <Button busy={change.busy} aria-disabled={!change.answer.data || undefined} onClick={block}>
          Block
        </Button>
      }
    >
      <WithSchedule change={change}>
        {({ periods }) => (
          <>
            <p>Patients can’t book blocked time with {doctor.name}. What is booked already stays booked.</p>
            <DateField label="Day" min={today} value={date} onChange={(event) => setDate(event.target.value)} />
            {periods.length > 0 ? (
              <Choice type="checkbox" label="The whole day" checked={whole} onChange={() => setWhole(!whole)} />
            ) : (
              <p className="ui-hint">
                {doctor.name} takes appointments at any time by agreement, so only whole days can be blocked.
              </p>
            )}
            {!whole && (
              <div className="grid gap-4 sm:grid-cols-2">
                <TextField label="From" type="time" value={from} onChange={(event) => setFrom(event.target.value)} />
                <TextField label="Until" type="time" value={until} onChange={(event) => setUntil(event.target.value)} />
              </div>
            )}
            {booked > 0 && (
              <Alert kind="warning">
                {booked === 1 ? '1 appointment is' : `${booked} appointments are`} booked then. You can move or cancel{' '}
                {booked === 1 ? 'it' : 'them'} afterwards.
              </Alert>
            )}
            {fault !== undefined && <Alert kind="error">{fault}</Alert>}
          </>
        )}
      </WithSchedule>
    </Dialog>
  );
}

type Span = Pick<NonNullable<Block['exception']>, 'date' | 'from' | 'until'>;

/** Whether an exception blocks exactly this time. */
const isOff = ({ kind, ...one }: Schedule['exceptions'][number], { date, from, until }: Span): boolean =>
  kind === 'off' && one.date === date && one.from === from && one.until === until;

/** Whether an appointment of the day has part of a span, which may end after midnight. */
function isWithin(
  { time, ends }: { readonly time: string; readonly ends: string },
  { from, until }: { readonly from: string; readonly until: string },
): boolean {
  if (from === '' || until === '') return false;
  const start = minuteOf(from);
  return minuteOf(time) < start + minutesOfSpan({ from, until: fromField(until) }) && start < minuteOf(ends);
}

/** Opens blocked time again. */
export function UnblockDialog({
  target: { column, exception },
  onClose,
}: Pick<BlockDialogProps, 'onClose'> & { readonly target: UnblockTarget }) {
  const { doctor } = column;
  const change = useScheduleChange(doctor._id, 'Patients can book this time again', onClose);
  const unblock = (): void =>
    change.save(({ exceptions }) => ({ exceptions: exceptions.filter((one) => !isOff(one, exception)) }));
  return (
    <Dialog
      open
      title="Blocked time"
      onClose={onClose}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            Keep it
          </Button>
          <Button busy={change.busy} aria-disabled={!change.answer.data || undefined} onClick={unblock}>
            Unblock
          </Button>
        </>
      }
    >
      <WithSchedule change={change}>
        {() => (
          <p>
            {formatDate(exception.date)}, {shownSpan(exception.from, exception.until)}. Patients will be able to book{' '}
            {doctor.name} then.
          </p>
        )}
      </WithSchedule>
    </Dialog>
  );
}
