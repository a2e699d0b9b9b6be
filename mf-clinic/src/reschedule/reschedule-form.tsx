import { formatDate, formatTime, useQueryClient, type ApiProblem } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import type { SameTime } from '@clinic/svc-clinic/contract/problems';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import { Button } from '@clinic/ui';
import { useCallback, useState, type SyntheticEvent } from 'react';
import { touchedByAppointments } from '@clinic/svc-clinic/contract/lists';
import { otherPerson } from '../appointments/name-of-appointment.ts';
import { actAsPatient, useActors } from '../appointments/may-change.ts';
import { moveBack, seenOf } from './move-back.ts';
import { SameTimeDialog } from '../slots/same-time-dialog.tsx';
import { SlotChoice } from '../slots/slot-choice.tsx';
import { TimeChoice } from '../slots/time-choice.tsx';
import { dateProblem, useSlot } from '../slots/use-slot.ts';
import { Rejection } from '../rejection.tsx';

interface RescheduleFormProps {
  readonly appointment: Appointment;
  readonly doctor: Doctor;
  readonly onClose: () => void;
}

/** Moves an appointment; the chosen slot stays if the move is rejected. */
export function RescheduleForm({ appointment, doctor, onClose }: RescheduleFormProps) {
  const client = useQueryClient();
  const [date, setDate] = useState('');
  const [time, setTime] = useState('');
  const [failure, setFailure] = useState<ApiProblem>();
  const [sameTime, setSameTime] = useState<SameTime>();
  const dropTime = useCallback(() => setTime(''), []);
  const { today, bookable, free } = useSlot(doctor, date, time, dropTime);
  const chosen = bookable !== '' && time !== '';

  const byPatient = actAsPatient(useActors(appointment));
  const move = useChange('rescheduleAppointment', {
    invalidates: touchedByAppointments,
    success: (moved) => `${otherPerson(moved)} moved to ${formatDate(moved.date)} at ${formatTime(moved.time)}`,
    undo: (moved) => moveBack(moved, appointment, byPatient),
    failure: false,
    onDone: onClose,
    onError: (problem) => {
      if (problem.problem.sameTime?.canConfirm) {
        setSameTime(problem.problem.sameTime);
        return;
      }
      setFailure(problem);
      if (problem.code === 'slot_taken') {
        free.replace(date, problem.problem.freeTimes ?? []);
        if (!free.anyTime) setTime('');
      }
      for (const call of touchedByAppointments)
        if (call !== 'listFreeTimes') void client.invalidateQueries({ queryKey: [call] });
    },
  });

  function send(alsoThen?: true): void {
    const body = { date, time, seen: seenOf(appointment), ...(alsoThen && { alsoThen }) };
    move.mutate({ params: { id: appointment._id }, body });
  }

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    if (!chosen || move.isPending) return;
    setFailure(undefined);
    send();
  }

  function keepBoth(): void {
    setSameTime(undefined);
    send(true);
  }

  return (
    <>
      <form noValidate aria-label="Reschedule" className="grid gap-6" onSubmit={submit}>
        <SlotChoice
          doctor={doctor}
          today={today}
          date={date}
          onDate={setDate}
          onTime={setTime}
          dateError={date === '' ? undefined : dateProblem(date, today, doctor.bookableUntil)}
          loading={free.loading}
          dateField={{ value: date, onChange: (event) => setDate(event.target.value) }}
        >
          <TimeChoice
            date={bookable}
            free={free}
            value={time}
            onChange={setTime}
            taken={failure?.code === 'slot_taken'}
            error={undefined}
          />
        </SlotChoice>
        {appointment.status === 'Confirmed' && byPatient && <Unconfirmed />}
        <Rejection error={failure} />
        <Buttons busy={move.isPending} chosen={chosen} onClose={onClose} />
      </form>
      <SameTimeDialog
        sameTime={sameTime}
        own={byPatient}
        onConfirm={keepBoth}
        onCancel={() => setSameTime(undefined)}
      />
    </>
  );
}

const Unconfirmed = () => (
  <p className="ui-hint">Your doctor needs to confirm the new time. Until then, the appointment is pending.</p>
);

interface ButtonsProps {
  readonly busy: boolean;
  /** A day and a time are chosen; without them there is nothing to send. */
  readonly chosen: boolean;
  readonly onClose: () => void;
}

function Buttons({ busy, chosen, onClose }: ButtonsProps) {
  return (
    <div className="flex flex-wrap justify-end gap-3">
      <Button variant="ghost" onClick={onClose}>
        Keep the old time
      </Button>
      <Button type="submit" icon="check" busy={busy} aria-disabled={!chosen}>
        Reschedule
      </Button>
    </div>
  );
}
