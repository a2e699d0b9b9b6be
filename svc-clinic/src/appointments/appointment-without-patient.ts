import { erasedEmail, erasedName } from '@clinic/contracts/erased-person';
import { isProven, withoutPersonalFields, type AccountHolder } from '@clinic/service-kit';
import { doctorDeleted, patientDeleted } from '../personal-data/personal-records.ts';
import { findingFields, type AppointmentRecord } from './appointment-record.ts';

/**
 * Whether this person is the appointment's patient or doctor: by account, or by an address that was theirs when it was
 * booked if no account is set.
 */
function isPerson(
  account: string | undefined,
  address: string,
  { _id }: Pick<AppointmentRecord, '_id'>,
  person: AccountHolder,
): boolean {
  return account === undefined ? isProven(person, address, _id) : account === person.id;
}

/**
 * An appointment without a person's identity, by the rules for its patient and its doctor. When, with whom and how it
 * ended is kept, as the clinic's records.
 *
 * @returns `undefined` if the person isn't part of it
 */
export function withoutPerson(record: AppointmentRecord, person: AccountHolder): AppointmentRecord | undefined {
  const asPatient = isPerson(record.patientId, record.patientEmail, record, person);
  const asDoctor = isPerson(record.doctorAccountId, record.doctorEmail, record, person);
  if (!asPatient && !asDoctor) return undefined;
  const email = erasedEmail(person.id);
  let left = record;
  if (asPatient) left = withoutPersonalFields(left, patientDeleted, { patientName: erasedName, patientEmail: email });
  if (asDoctor) left = withoutPersonalFields(left, doctorDeleted, { doctorEmail: email });
  return { ...left, ...findingFields(left) };
}
