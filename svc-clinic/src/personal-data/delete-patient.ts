import type { CallResponse } from '@clinic/contracts';
import { erasedEmail, idOfErased, idOfNoEmail, isErasedEmail } from '@clinic/contracts/erased-person';
import {
  appendEvent,
  type ErasedCounts,
  eraseStep,
  localDeletionOf,
  type OpenDeletion,
  refused,
  type ServiceRequest,
  startLocalDeletion,
} from '@clinic/service-kit';
import { joinAppointments } from '../accounts/join-appointments.ts';
import { appointmentById } from '../appointments/appointment-change.ts';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { collectionsOf } from '../collections.ts';
import type { ClinicAction } from '../contract/actions.ts';
import type { ClinicContext } from '../settings.ts';
import { erasePerson } from './erase-person.ts';

/**
 * Deletes the patient of an appointment whom the desk booked without an email address, with all their appointments, as
 * svc-identity's deletions do with people who have an account. What a few seconds don't suffice for goes on by itself.
 *
 * @returns how far it has got
 * @throws ProblemError `not_found`; `transition_refused` if the patient has, or had, an account or an email address
 */
export async function deletePatient(
  context: ClinicContext,
  { params, call, caller, requestId }: ServiceRequest<'erasePatient'>,
): Promise<CallResponse<'erasePatient'>> {
  const deletion = await context.inTransaction(async (session) => {
    const record = await appointmentById(collectionsOf(context.db), params.id, session);
    if (isErasedEmail(record.patientEmail)) return startedBefore(context, record);
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
  if ('records' in deletion) return { done: true, ...deletion };
  return eraseStep(context, deletion, {
    erase: (open, until) => erasePerson(context, open, until),
    joinRecords: joinAppointments(context),
  });
}

/** The answer to the first request may have been lost: the same again goes on, or gets the same result. */
async function startedBefore(
  context: ClinicContext,
  { patientEmail }: AppointmentRecord,
): Promise<OpenDeletion | ErasedCounts> {
  const before = await localDeletionOf(context, idOfErased(patientEmail));
  if (!before) throw refused('This patient’s details have been deleted.');
  return before.open ?? before.erased;
}

function idWithoutAccount({ patientEmail, patientId }: AppointmentRecord): string {
  const id = idOfNoEmail(patientEmail);
  // An erasure that is under way has put the id on the records.
  if (patientId !== undefined && patientId !== id)
    throw refused('This patient has an account. Delete it under All Users, or they can delete it themselves.');
  if (id === undefined)
    throw refused('This patient has an email address. Search for it under All Users to delete them.');
  return id;
}
