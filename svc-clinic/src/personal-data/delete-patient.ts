import type { CallResponse } from '@clinic/contracts';
import { erasedEmail, idOfNoEmail, isErasedEmail } from '@clinic/contracts/erased-person';
import type { ClinicAction } from '@clinic/contracts/event-actions';
import { appendEvent, eraseStep, ProblemError, startLocalDeletion, type ServiceRequest } from '@clinic/service-kit';
import { joinAppointments } from '../accounts/join-appointments.ts';
import { appointmentById } from '../appointments/appointment-change.ts';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { collectionsOf } from '../collections.ts';
import type { ClinicContext } from '../settings.ts';
import { erasePerson } from './erase-person.ts';

/**
 * Deletes the patient of an appointment whom the desk booked without an email address, with all their appointments, as
 * svc-identity's deletions do with people who have an account. What a few seconds don't suffice for goes on by itself.
 *
 * @returns how far it has got
 * @throws ProblemError `not_found`; `transition_refused` if the patient has an account or an email address, or is deleted
 */
export async function deletePatient(
  context: ClinicContext,
  { params, call, caller, requestId }: ServiceRequest<'erasePatient'>,
): Promise<CallResponse<'erasePatient'>> {
  const deletion = await context.inTransaction(async (session) => {
    const record = await appointmentById(collectionsOf(context.db), params.id, session);
    const id = idWithoutAccount(record);
    const person = { id, email: record.patientEmail };
    const started = await startLocalDeletion(context, session, person, requestId);
    if (started.first)
      await appendEvent(context, session, {
        call,
        caller,
        requestId,
        record: { type: 'person', id },
        subject: erasedEmail(id),
        accounts: [id],
        action: 'deletion started' satisfies ClinicAction,
        before: {},
        after: {},
      });
    return started.deletion;
  });
  return eraseStep(context, deletion, {
    erase: (open, until) => erasePerson(context, open, until),
    joinRecords: joinAppointments(context),
  });
}

function idWithoutAccount({ patientEmail, patientId }: AppointmentRecord): string {
  if (isErasedEmail(patientEmail)) throw refused('This patient’s details have been deleted.');
  const id = idOfNoEmail(patientEmail);
  // An erasure that is under way has put the id on the records.
  if (patientId !== undefined && patientId !== id)
    throw refused('This patient has an account. Delete it under All Users, or they can delete it themselves.');
  if (id === undefined)
    throw refused('This patient has an email address. They can register with it and then delete their account.');
  return id;
}

const refused = (detail: string): ProblemError => new ProblemError('transition_refused', { detail });
