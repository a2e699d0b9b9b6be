import { useSession, type UseSession } from '@clinic/app-kit';
import type { ClinicMoment, SessionUser } from '@clinic/contracts';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { isFinal, nextStates } from '@clinic/contracts/transitions';
import { hasBegun, isWaiting } from '@clinic/svc-clinic/contract/attendance';
import { appointmentTransitions, type AppointmentActor } from '@clinic/svc-clinic/contract/transitions';
import { stateOf } from '../attendance/steps.ts';
import { isAtDesk } from '../desk/use-desk.ts';

/**
 * All relations of a person to an appointment, as the service decides them.
 *
 * @param person - their address is compared if a service of an earlier release doesn't return the account's relation
 */
export function actorsFor(
  appointment: Appointment,
  {
    user,
    role,
    rights,
  }: Pick<UseSession, 'role' | 'rights'> & {
    readonly user?: Pick<SessionUser, 'email'> | undefined;
  },
): AppointmentActor[] {
  const actors: AppointmentActor[] = [];
  if (isAtDesk({ role, rights })) actors.push('admin');
  if (appointment.you) return [...actors, ...appointment.you];
  if (role === 'doctor' && appointment.doctoremail === user?.email) actors.push('doctor');
  if (appointment.patientemail === user?.email) actors.push('patient');
  return actors;
}

/** All relations of the signed-in person to an appointment. */
export function useActors(appointment: Appointment): AppointmentActor[] {
  return actorsFor(appointment, useSession());
}

/** Whether they work here: the appointment's doctor, or the desk. */
export function isStaff(actors: readonly AppointmentActor[]): boolean {
  return actors.includes('admin') || actors.includes('doctor');
}

/** Whether they may read what the patient answered before the visit: its doctor and admins, not the reception. */
export function mayReadAnswers(appointment: Appointment, session: Parameters<typeof actorsFor>[1]): boolean {
  return session.role === 'admin' || actorsFor(appointment, session).includes('doctor');
}

/** Whether they are only the appointment's patient. */
export function actAsPatient(actors: readonly AppointmentActor[]): boolean {
  return actors.length > 0 && actors.every((actor) => actor === 'patient');
}

/** Whether it is too late to cancel or move the appointment: patients may until some hours before it. */
export function isTooLate({ changeUntil }: Appointment, actors: readonly AppointmentActor[]): boolean {
  return !isStaff(actors) && Date.now() > Date.parse(changeUntil);
}

/** Whether the patient is with the doctor, has been seen or didn’t come: the visit stays where it is. */
const stays = (appointment: Appointment): boolean => hasBegun(stateOf(appointment));

/** Whether its time has come. @param now - on the clinic's clock */
export function isOver({ date, time }: Pick<Appointment, 'date' | 'time'>, now: ClinicMoment): boolean {
  return date < now.date || (date === now.date && time < now.time);
}

/**
 * Whether its time has come, and the patient doesn't wait for the doctor: it needs no other time. The service also moves and
 * cancels those until they have ended.
 *
 * @param now - on the clinic's clock
 */
export function hasPassed(appointment: Appointment, now: ClinicMoment): boolean {
  return isOver(appointment, now) && !isWaiting(stateOf(appointment));
}

/** Whether they may move the appointment to another slot, and it needs one. @param now - on the clinic's clock */
export function mayMove(appointment: Appointment, actors: readonly AppointmentActor[], now: ClinicMoment): boolean {
  return (
    actors.length > 0 &&
    !isFinal(appointmentTransitions, appointment.status) &&
    !hasPassed(appointment, now) &&
    !stays(appointment) &&
    !isTooLate(appointment, actors)
  );
}

/** Whether they can confirm or cancel it, and it needs a decision. @param now - on the clinic's clock */
export function canDecide(
  appointment: Appointment,
  session: Parameters<typeof actorsFor>[1],
  now: ClinicMoment,
): boolean {
  const actors = actorsFor(appointment, session);
  if (hasPassed(appointment, now) || stays(appointment)) return false;
  return nextStates(appointmentTransitions, appointment.status, actors).length > 0;
}

/** Whether the signed-in person may cancel it now. */
export function mayCancel(appointment: Appointment, actors: readonly AppointmentActor[]): boolean {
  return (
    nextStates(appointmentTransitions, appointment.status, actors).includes('Cancelled') &&
    !stays(appointment) &&
    !isTooLate(appointment, actors)
  );
}
