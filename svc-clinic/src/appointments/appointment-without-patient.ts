import { erasedEmail, erasedName } from '@clinic/contracts/erased-person';
import type { ForgottenPerson } from '@clinic/service-kit';
import { appointmentRecord, type AppointmentRecord } from './appointment-record.ts';

/** Whether this person is the appointment's patient or doctor: by account, or by their confirmed address if no account is set. */
function isPerson(
  account: string | undefined,
  address: string,
  { email, userId, emailConfirmed }: ForgottenPerson,
): boolean {
  return account === undefined ? emailConfirmed && address === email : account === userId;
}

/**
 * An appointment without a person's identity. When, with whom and how it ended is kept, as the clinic's records. Who
 * treated a patient is part of that patient's record, so a doctor's name stays while their address is removed.
 *
 * @returns `undefined` if the person isn't part of it
 */
export function withoutPerson(record: AppointmentRecord, person: ForgottenPerson): AppointmentRecord | undefined {
  const { changedAt, sequence, movedFrom: _mentioned, patientId, doctorAccountId, reason, ...kept } = record;
  const asPatient = isPerson(patientId, record.patientEmail, person);
  const asDoctor = isPerson(doctorAccountId, record.doctorEmail, person);
  if (!asPatient && !asDoctor) return undefined;
  const email = erasedEmail(person.userId);
  return {
    ...appointmentRecord({
      ...kept,
      ...(asPatient
        ? { patientName: erasedName, patientEmail: email, age: 0, address: '', phone: '' }
        : { ...(patientId !== undefined && { patientId }), ...(reason !== undefined && { reason }) }),
      ...(asDoctor ? { doctorEmail: email } : doctorAccountId !== undefined && { doctorAccountId }),
    }),
    changedAt,
    ...(sequence !== undefined && { sequence }),
  };
}
