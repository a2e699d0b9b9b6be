import { formatDate, formatTime, useCall } from '@clinic/app-kit';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import { useChange } from '@clinic/app-kit/records';
import type { CallBody, CallResponse, ClinicMoment } from '@clinic/contracts';
import { Alert, Button, DateField, Dialog, Spinner, TextField } from '@clinic/ui';
import { useState } from 'react';
import { touchedByAppointments } from '@clinic/svc-clinic/contract/lists';
import { actAsPatient, useActors } from '../appointments/may-change.ts';
import './calls.ts';
import type { AppointmentDialogProps } from '../dialogs/use-appointment-dialogs.ts';
import { LoadError } from '../load-error.tsx';
import { seenOf, undoOf } from '../reschedule/move-back.ts';
import { Rejection } from '../rejection.tsx';
import { count } from '../several/use-one-by-one.ts';
import { useSettled } from '../use-settled.ts';

/**
 * Moves or cancels an appointment of a series and those that follow: shows all of them, and what would be rejected, before
 * anything is changed. Patients can only cancel.
 */
export function FollowingDialog({ appointment, onClose }: AppointmentDialogProps) {
  const { _id: id, series } = appointment;
  const today = useClinicToday();
  const byPatient = actAsPatient(useActors(appointment));
  const [cancelling, setCancelling] = useState(byPatient);
  const [edits, setEdits] = useState<{ readonly date?: string; readonly time?: string }>({});
  const { date = appointment.date, time = appointment.time } = edits;
  const change = useChange('changeSeries', {
    invalidates: touchedByAppointments,
    success: (changed) => `${count(changed.length)} ${cancelling ? 'cancelled' : 'moved'}`,
    // A cancellation stays: others can have the times by now.
    undo: (changed) =>
      cancelling || changed.length === 0
        ? undefined
        : undoOf(changed, `${count(changed.length)} ${changed.length === 1 ? 'is' : 'are'} back`),
    failure: false,
    onDone: onClose,
    onError: () => void preview.refetch(),
  });
  const unchanged = date === appointment.date && time === appointment.time;
  const wanted = `${date} ${time}`;
  const settled = useSettled(wanted) === wanted;
  const chosen = cancelling || (date !== '' && time !== '');
  const asks = cancelling || (chosen && settled);
  const preview = useCall(
    'previewFollowing',
    { params: { id }, body: cancelling ? {} : { to: { date, time } } },
    { enabled: asks, staleTime: 0, keepPrevious: true },
  );
  const shown = asks && !preview.isPlaceholderData ? preview.data?.visits : undefined;
  const rejected = shown?.filter(({ conflict }) => conflict !== undefined) ?? [];
  const incomplete = !shown || rejected.length > 0 || (!cancelling && unchanged);

  function send(): void {
    if (incomplete) return;
    const following = shown.map(({ _id, ...slot }) => ({ id: _id, seen: { date: slot.date, time: slot.time } }));
    const requested: CallBody<'changeSeries'>['change'] = cancelling ? { act: 'cancel' } : { act: 'move', date, time };
    change.mutate({
      params: { id },
      body: { seen: seenOf(appointment), following, change: requested },
    });
  }

  return (
    <Dialog
      open
      title="This and the following appointments"
      onClose={onClose}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            {cancelling ? 'Keep them' : 'Go back'}
          </Button>
          <Button
            variant={cancelling ? 'danger' : 'primary'}
            busy={change.isPending}
            aria-disabled={incomplete}
            onClick={send}
          >
            {cancelling ? 'Cancel' : 'Move'} {shown ? count(shown.length) : 'appointments'}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p>
          From {series?.number} of {series?.of}, <Moment {...appointment} />, with{' '}
          {byPatient ? appointment.doctorname : appointment.patientname}. Earlier appointments stay as they are.
        </p>
        {!byPatient && (
          <fieldset className="flex flex-wrap gap-2">
            <legend className="sr-only">What to do</legend>
            <Button
              size="sm"
              variant={cancelling ? 'secondary' : 'primary'}
              aria-pressed={!cancelling}
              onClick={() => setCancelling(false)}
            >
              Move
            </Button>
            <Button
              size="sm"
              variant={cancelling ? 'primary' : 'secondary'}
              aria-pressed={cancelling}
              onClick={() => setCancelling(true)}
            >
              Cancel
            </Button>
          </fieldset>
        )}
        {cancelling ? (
          <p>Other people can then book these times. You can’t undo this.</p>
        ) : (
          <>
            <div className="grid gap-4 sm:grid-cols-2">
              <DateField
                label="New date"
                min={today}
                value={date}
                onChange={(event) => setEdits({ ...edits, date: event.target.value })}
              />
              <TextField
                label="New time"
                type="time"
                value={time}
                onChange={(event) => setEdits({ ...edits, time: event.target.value })}
              />
            </div>
            <p className="ui-hint">
              The following ones move by as many days, to the same time. If one can’t move, none does.
            </p>
          </>
        )}
        <LoadError title="Error loading the following appointments" answer={preview} />
        {chosen && !shown && !preview.isError && <Spinner />}
        {shown && (
          <Following visits={shown} cancelling={cancelling} rejected={cancelling || !unchanged ? rejected.length : 0} />
        )}
        <Rejection error={change.error} title="Nothing has been changed" />
      </div>
    </Dialog>
  );
}

interface FollowingProps {
  readonly visits: CallResponse<'previewFollowing'>['visits'];
  readonly cancelling: boolean;
  /** How many can't be changed. */
  readonly rejected: number;
}

/** Each appointment as it is, where it goes, and what is in the way. */
function Following({ visits, cancelling, rejected }: FollowingProps) {
  return (
    <>
      {rejected > 0 && (
        <Alert kind="warning" title={`${count(rejected)} can’t be changed, so none is`}>
          {cancelling ? 'Cancel the others one by one.' : 'Choose something else, or change the others one by one.'}
        </Alert>
      )}
      <ul aria-label="What happens" className="divide-y divide-line">
        {visits.map(({ _id, to, conflict, ...now }) => (
          <li key={_id} className="py-2">
            <Moment {...now} />
            {to && (to.date !== now.date || to.time !== now.time) && (
              <>
                , to <Moment {...to} />
              </>
            )}
            {conflict !== undefined && <span className="block text-sm text-error">{conflict}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}

/** A narrow screen doesn't break it before "AM". */
const Moment = ({ date, time }: ClinicMoment) => (
  <span className="whitespace-nowrap tabular-nums">
    {formatDate(date)} at {formatTime(time)}
  </span>
);
