import { formatDate, formatTime } from '@clinic/app-kit';
import { useClinicNow } from '@clinic/app-kit/clinic-today';
import { appointmentTransitions, isFinal, nextStates, type AppointmentStatus } from '@clinic/contracts/transitions';
import type { Appointment } from '@clinic/contracts';
import { Button } from '@clinic/ui';
import { StatusSelector } from '@clinic/ui/tables';
import { actAsPatient, useActors, isTooLate } from './may-change.ts';
import { nameOfAppointment } from './name-of-appointment.ts';
import { statusChange, useStatusChange } from './use-status-change.ts';

/** The status, with the changes the signed-in person may make. */
export function StatusOfAppointment({ appointment }: { readonly appointment: Appointment }) {
  const change = useStatusChange();
  // On a page left open, cancelling ends at the time limit.
  useClinicNow();
  const { status } = appointment;
  const actors = useActors(appointment);
  const tooLate = isTooLate(appointment, actors);
  const movedThemself = appointment.movedFrom !== undefined && actAsPatient(actors);
  const options = nextStates(appointmentTransitions, status, actors).filter((next) =>
    next === 'Cancelled' ? !tooLate : !movedThemself,
  );
  return (
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
      disabledReason={whyFixed(status, options, tooLate)}
      onChange={(newStatus) => change.mutateAsync(statusChange(appointment, newStatus))}
    />
  );
}

function whyFixed(
  status: AppointmentStatus,
  options: readonly AppointmentStatus[],
  tooLate: boolean,
): string | undefined {
  if (isFinal(appointmentTransitions, status))
    return `This appointment is ${status} and can’t be changed. Book a new one.`;
  return tooLate && options.length === 0 ? 'It’s too late to cancel this online. Call the clinic.' : undefined;
}

/** Confirms with one press. */
export function ConfirmAppointment({ appointment }: { readonly appointment: Appointment }) {
  const change = useStatusChange();
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
