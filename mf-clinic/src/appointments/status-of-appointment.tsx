import { formatDate, formatTime } from '@clinic/app-kit';
import { useClinicNow } from '@clinic/app-kit/clinic-today';
import { isFinal, nextStates } from '@clinic/contracts/transitions';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { appointmentTransitions, type AppointmentStatus } from '@clinic/svc-clinic/contract/transitions';
import { hasEnded } from '@clinic/svc-clinic/contract/attendance';
import { Button, StatusBadge } from '@clinic/ui';
import { StatusSelector } from '@clinic/ui/tables';
import { timedVisit } from '../attendance/steps.ts';
import { useVisitClock } from '../attendance/use-now.ts';
import { actAsPatient, isOver, isTooLate, mayCancel, useActors } from './may-change.ts';
import { nameOfAppointment } from './name-of-appointment.ts';
import { statusChange, useStatusChange } from './use-status-change.ts';

/** The status, with the changes the signed-in person may make. */
export function StatusOfAppointment({ appointment }: { readonly appointment: Appointment }) {
  const change = useStatusChange();
  // On a page left open, cancelling ends at the time limit.
  const clock = useVisitClock();
  const over = hasEnded(timedVisit(appointment, clock.timeZone), clock.now);
  const { status } = appointment;
  const actors = useActors(appointment);
  const tooLate = isTooLate(appointment, actors);
  const movedThemself = appointment.movedFrom !== undefined && actAsPatient(actors);
  const options = nextStates(appointmentTransitions, status, actors).filter(
    (next) => !over && (next === 'Cancelled' ? mayCancel(appointment, actors) : !movedThemself),
  );
  return (
    <>
      <StatusSelector<AppointmentStatus>
        value={status}
        options={options}
        label={`Status of ${nameOfAppointment(appointment)}`}
        destructive={['Cancelled']}
        confirmTitle={() =>
          `Cancel the appointment on ${formatDate(appointment.date)} at ${formatTime(appointment.time)}?`
        }
        confirmLabel={() => 'Yes, cancel appointment'}
        confirmText={`${nameOfAppointment(appointment)}. Someone else can then book this time. You can’t undo this.`}
        disabledReason={whyFixed(status, options, { tooLate, over })}
        onChange={(newStatus) => change.mutateAsync(statusChange(appointment, newStatus))}
      />
      <Unanswered appointment={appointment} />
    </>
  );
}

/** The status to read. */
export function StatusToRead({ appointment }: { readonly appointment: Appointment }) {
  return (
    <>
      <StatusBadge status={appointment.status} />
      <Unanswered appointment={appointment} />
    </>
  );
}

/** A visit whose time has come is still Pending if nobody confirmed it, but it no longer waits for that. */
function Unanswered({ appointment }: { readonly appointment: Appointment }) {
  const over = isOver(appointment, useClinicNow());
  return (
    appointment.status === 'Pending' &&
    over && <span className="mt-1 block text-sm text-muted">Not confirmed before its time</span>
  );
}

function whyFixed(
  status: AppointmentStatus,
  options: readonly AppointmentStatus[],
  { tooLate, over }: { readonly tooLate: boolean; readonly over: boolean },
): string | undefined {
  if (isFinal(appointmentTransitions, status))
    return `This appointment is ${status} and can’t be changed. Book a new one.`;
  if (over) return 'This visit is over. Its status can’t be changed any more.';
  return tooLate && options.length === 0 ? 'It’s too late to cancel this online. Call the clinic.' : undefined;
}

/** Confirms with one press, until the visit's time has come. */
export function ConfirmAppointment({ appointment }: { readonly appointment: Appointment }) {
  const change = useStatusChange();
  if (isOver(appointment, useClinicNow())) return null;
  return (
    <Button
      variant="secondary"
      size="sm"
      icon="check"
      busy={change.isPending}
      aria-label={`Confirm ${nameOfAppointment(appointment)}`}
      onClick={() => change.mutate(statusChange(appointment, 'Confirmed'))}
    >
      Confirm
    </Button>
  );
}
