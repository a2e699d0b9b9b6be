import { formatDate, formatTime } from '@clinic/app-kit';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import { useChange } from '@clinic/app-kit/records';
import type { CallBody } from '@clinic/contracts';
import { Button, DateField, Dialog, TextField } from '@clinic/ui';
import { useState } from 'react';
import { touchedByAppointments } from '@clinic/svc-clinic/contract/lists';
import { actAsPatient, useActors } from '../appointments/may-change.ts';
import './calls.ts';
import type { AppointmentDialogProps } from '../dialogs/use-appointment-dialogs.ts';
import { seenOf, undoOf } from '../reschedule/move-back.ts';
import { Rejection } from '../rejection.tsx';

/** Moves or cancels an appointment of a series and those that follow. Patients can only cancel. */
export function FollowingDialog({ appointment, onClose }: AppointmentDialogProps) {
  const { _id: id, series } = appointment;
  const today = useClinicToday();
  const byPatient = actAsPatient(useActors(appointment));
  const [cancelling, setCancelling] = useState(byPatient);
  const [edits, setEdits] = useState<{ readonly date?: string; readonly time?: string }>({});
  const { date = appointment.date, time = appointment.time } = edits;
  const change = useChange('changeSeries', {
    invalidates: touchedByAppointments,
    success: (changed) =>
      `${changed.length === 1 ? '1 appointment' : `${changed.length} appointments`} ${cancelling ? 'cancelled' : 'moved'}`,
    // A cancellation stays: others can have the times by now.
    undo: (changed) =>
      cancelling || changed.length === 0
        ? undefined
        : undoOf(changed, `${changed.length === 1 ? '1 appointment is' : `${changed.length} appointments are`} back`),
    failure: false,
    onDone: onClose,
  });
  const unchanged = date === appointment.date && time === appointment.time;
  const incomplete = !cancelling && (unchanged || date === '' || time === '');

  function send(): void {
    if (incomplete) return;
    const requested: CallBody<'changeSeries'>['change'] = cancelling ? { act: 'cancel' } : { act: 'move', date, time };
    change.mutate({
      params: { id },
      body: { seen: seenOf(appointment), change: requested },
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
            {cancelling ? 'Cancel appointments' : 'Move appointments'}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p>
          From {series?.number} of {series?.of}, {formatDate(appointment.date)} at {formatTime(appointment.time)}, with{' '}
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
        <Rejection error={change.error} title="Nothing has been changed" />
      </div>
    </Dialog>
  );
}
