import { formatDate, formatTime, useChange, useQueryClient, useSession } from '@clinic/app-kit';
import { appointmentTransitions, isFinal, nextStates, type AppointmentActor, type AppointmentStatus } from '@clinic/contracts/transitions';
import type { Appointment, Role } from '@clinic/contracts';
import { Button, StatusSelector } from '@clinic/ui';

const lists = ['listAppointments', 'listUnconfirmedAppointments', 'listFreeTimes'] as const;

/** Everything someone is to an appointment, as the service judges it. */
export function actorsFor(appointment: Appointment, email: string | undefined, role: Role | undefined): AppointmentActor[] {
  const actors: AppointmentActor[] = [];
  if (role === 'admin') actors.push('admin');
  if (appointment.doctoremail === email) actors.push('doctor');
  if (appointment.patientemail === email) actors.push('patient');
  return actors;
}

/** Changes an appointment's status, tells how it went and loads what shows it again. */
function useStatusChange() {
  const client = useQueryClient();
  return useChange('changeAppointmentStatus', {
    invalidates: lists,
    success: ({ patientname, date, time, status }) => `${patientname}, ${formatDate(date)} at ${formatTime(time)}: ${status}`,
    // A refusal mostly means that somebody else was faster: show what is true now.
    onError: () => void Promise.all(lists.map((list) => client.invalidateQueries({ queryKey: [list] }))),
  });
}

/** The status with what the signed-in person may change it to. */
export function StatusOfAppointment({ appointment }: { readonly appointment: Appointment }) {
  const { user, role } = useSession();
  const change = useStatusChange();
  const { _id: id, status, patientname, date, time } = appointment;
  const options = nextStates(appointmentTransitions, status, actorsFor(appointment, user?.email, role));
  return (
    <StatusSelector<AppointmentStatus>
      value={status}
      options={options}
      label={`Status of ${patientname}, ${formatDate(date)} at ${formatTime(time)}`}
      destructive={['Cancelled']}
      confirmText={`${patientname}, ${formatDate(date)} at ${formatTime(time)}. The time becomes free for others, and a cancelled appointment can’t be brought back.`}
      disabledReason={isFinal(appointmentTransitions, status) ? `${status} is final. Book a new appointment instead.` : undefined}
      onChange={(newStatus) => change.mutateAsync({ params: { id }, body: { newStatus } })}
    />
  );
}

/** Confirms in one press. */
export function ConfirmAppointment({ appointment }: { readonly appointment: Appointment }) {
  const change = useStatusChange();
  return (
    <Button
      variant="secondary" size="sm" icon="check" busy={change.isPending} aria-label={`Confirm ${appointment.patientname}, ${formatDate(appointment.date)} at ${formatTime(appointment.time)}`}
      onClick={() => change.mutate({ params: { id: appointment._id }, body: { newStatus: 'Confirmed' } })}
    >
      Confirm
    </Button>
  );
}
