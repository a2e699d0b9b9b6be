import { useSession } from '@clinic/app-kit';
import type { ClinicMoment, Role } from '@clinic/contracts';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { appointmentTransitions, isFinal, nextStates, type AppointmentActor } from '@clinic/contracts/transitions';

/**
 * All relations of a person to an appointment, as the service decides them.
 *
 * @param email - compared if a service of an earlier release doesn't return the account's relation
 */
export function actorsFor(
  appointment: Appointment,
  email: string | undefined,
  role: Role | undefined,
): AppointmentActor[] {
  const actors: AppointmentActor[] = [];
  if (role === 'admin') actors.push('admin');
  if (appointment.you) return [...actors, ...appointment.you];
  if (role === 'doctor' && appointment.doctoremail === email) actors.push('doctor');
  if (appointment.patientemail === email) actors.push('patient');
  return actors;
}

/** All relations of the signed-in person to an appointment. */
export function useActors(appointment: Appointment): AppointmentActor[] {
  const { user, role } = useSession();
  return actorsFor(appointment, user?.email, role);
}

/** Whether they work here: the appointment's doctor, or an admin. */
export function isStaff(actors: readonly AppointmentActor[]): boolean {
  return actors.includes('admin') || actors.includes('doctor');
}

/** Whether they are only the appointment's patient. */
export function actAsPatient(actors: readonly AppointmentActor[]): boolean {
  return actors.length > 0 && actors.every((actor) => actor === 'patient');
}

/** Whether it is too late to cancel or move the appointment: patients may until some hours before it. */
export function isTooLate({ changeUntil }: Appointment, actors: readonly AppointmentActor[]): boolean {
  return !isStaff(actors) && Date.now() > Date.parse(changeUntil);
}

/** Whether they may move the appointment to another slot. */
export function mayMove(appointment: Appointment, actors: readonly AppointmentActor[]): boolean {
  return actors.length > 0 && !isFinal(appointmentTransitions, appointment.status) && !isTooLate(appointment, actors);
}

/** Whether it has started: nobody can move it any more. @param now - on the clinic's clock */
export function isOver({ date, time }: Pick<Appointment, 'date' | 'time'>, now: ClinicMoment): boolean {
  return date < now.date || (date === now.date && time < now.time);
}

/** Whether the signed-in person may cancel it now. */
export function mayCancel(appointment: Appointment, actors: readonly AppointmentActor[]): boolean {
  return (
    nextStates(appointmentTransitions, appointment.status, actors).includes('Cancelled') &&
    !isTooLate(appointment, actors)
  );
}
