import type { Appointment, Role } from '@clinic/contracts';
import { appointmentTransitions, isFinal, type AppointmentActor } from '@clinic/contracts/transitions';

/**
 * Everything someone is to an appointment, as the service judges it.
 *
 * @param email - compared where a service of an earlier release doesn't say what the reader's account is to it
 */
export function actorsFor(appointment: Appointment, email: string | undefined, role: Role | undefined): AppointmentActor[] {
  const actors: AppointmentActor[] = [];
  if (role === 'admin') actors.push('admin');
  if (appointment.you) return [...actors, ...appointment.you];
  if (role === 'doctor' && appointment.doctoremail === email) actors.push('doctor');
  if (appointment.patientemail === email) actors.push('patient');
  return actors;
}

/** Whether these people act as the appointment's patient only. */
export function actAsPatient(actors: readonly AppointmentActor[]): boolean {
  return actors.length > 0 && actors.every((actor) => actor === 'patient');
}

/** Whether it is too late for these people to cancel or move the appointment: patients have until some hours before. */
export function isTooLate({ changeUntil }: Appointment, actors: readonly AppointmentActor[]): boolean {
  return !actors.includes('admin') && !actors.includes('doctor') && Date.now() > Date.parse(changeUntil);
}

/** Whether these people may move the appointment to another slot. */
export function mayMove(appointment: Appointment, actors: readonly AppointmentActor[]): boolean {
  return actors.length > 0 && !isFinal(appointmentTransitions, appointment.status) && !isTooLate(appointment, actors);
}
