import { formatDate, formatTime } from '@clinic/app-kit';
import { minuteOf } from '@clinic/contracts/clinic-time';
import type { CalendarAppointment, CalendarDoctor } from '@clinic/svc-clinic/contract/calendar-calls';
import { ConfirmDialog } from '@clinic/ui/tables';
import { toldOfMove } from '../several/told-of-move.ts';
import type { Place } from './use-moves.ts';

/** An appointment that was put somewhere else, and isn't moved yet. */
export interface Dropped {
  readonly appointment: CalendarAppointment;
  readonly place: Place;
}

interface MoveQuestionProps {
  readonly dropped: Dropped | undefined;
  readonly doctors: readonly CalendarDoctor[];
  readonly onMove: (dropped: Dropped) => void;
  readonly onKeep: (dropped: Dropped) => void;
}

/** Says what the patient is told, before an appointment moves. */
export function MoveQuestion({ dropped, doctors, onMove, onKeep }: MoveQuestionProps) {
  if (!dropped) return null;
  const { appointment, place } = dropped;
  return (
    <ConfirmDialog
      open
      title={`Move ${appointment.patientname} to ${formatDate(place.date)} at ${formatTime(place.time)}?`}
      confirmLabel="Move"
      cancelLabel="Keep the old time"
      onConfirm={() => onMove(dropped)}
      onCancel={() => onKeep(dropped)}
    >
      <p>{toldOfMove(appointment, { ...place, ...promiseOf(place, appointment, doctors) })}</p>
      <p className="mt-2 text-sm text-muted">You can undo it; the message waits for a minute.</p>
    </ConfirmDialog>
  );
}

/** Length and place of the hours there; an appointment of an earlier service says neither. */
function promiseOf(
  { date, time, until }: Place,
  { doctoremail, minutes, place }: CalendarAppointment,
  doctors: readonly CalendarDoctor[],
) {
  const doctor = doctors.find(({ email }) => email === doctoremail);
  const hours = doctor?.days
    .find((day) => day.date === date)
    ?.hours.find(({ from, until: end }) => from <= time && time < end);
  const there = hours?.place || doctor?.location;
  return {
    ...(minutes !== undefined && { minutes: minuteOf(until) - minuteOf(time) }),
    ...(place !== undefined && there !== undefined && { place: there }),
  };
}
