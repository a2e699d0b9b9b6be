import { erasedEmail, erasedName } from '@clinic/contracts/erased-person';
import type { ForgottenPerson } from '@clinic/service-kit';
import { appointmentRecord, type AppointmentRecord } from './appointment-record.ts';

/** Whether a side of an appointment is the person: their account's, or under their confirmed address and nobody's account's. */
function isPerson(account: string | undefined, address: string, { email, userId, emailConfirmed }: ForgottenPerson): boolean {
  return account === undefined ? emailConfirmed && address === email : account === userId;
}

/**
 * An appointment that no longer says who a person was. When, with whom and how it ended stays: the clinic's books. Who
 * treated a patient is a part of that patient's record, so a doctor's name stays where their address goes.
 *
 * @returns `undefined`: the person has no part in it
 */
export function withoutPerson(record: AppointmentRecord, person: ForgottenPerson): AppointmentRecord | undefined {
  const { changedAt, sequence, movedFrom: _mentioned, patientId, doctorAccountId, ...kept } = record;
  const asPatient = isPerson(patientId, record.patientEmail, person);
  const asDoctor = isPerson(doctorAccountId, record.doctorEmail, person);
  if (!asPatient && !asDoctor) return undefined;
  const email = erasedEmail(person.userId);
  return {
    ...appointmentRecord({
      ...kept,
      ...(asPatient ? { patientName: erasedName, patientEmail: email, age: 0, address: '', phone: '' } : patientId !== undefined && { patientId }),
      ...(asDoctor ? { doctorEmail: email } : doctorAccountId !== undefined && { doctorAccountId }),
    }),
    changedAt, ...(sequence !== undefined && { sequence }),
  };
}
