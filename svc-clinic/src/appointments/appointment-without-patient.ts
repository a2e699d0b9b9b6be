import { erasedEmail, erasedName } from '@clinic/contracts/erased-person';
import type { ForgottenPerson } from '@clinic/service-kit';
import { appointmentRecord, type AppointmentRecord } from './appointment-record.ts';

/**
 * An appointment that no longer says who a person was. When, with whom and how it ended stays: the clinic's books. Who
 * treated a patient is a part of that patient's record, so a doctor's name stays where their address goes.
 */
export function withoutPerson(record: AppointmentRecord, { email, userId }: ForgottenPerson): AppointmentRecord {
  const { changedAt, sequence, movedFrom: _mentioned, ...kept } = record;
  const asPatient = record.patientEmail === email && { patientName: erasedName, patientEmail: erasedEmail(userId), age: 0, address: '', phone: '' };
  const asDoctor = record.doctorEmail === email && { doctorEmail: erasedEmail(userId) };
  return { ...appointmentRecord({ ...kept, ...asPatient, ...asDoctor }), changedAt, ...(sequence !== undefined && { sequence }) };
}
