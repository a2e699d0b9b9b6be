import type { ParsedBody } from '@clinic/contracts';
import { internationalPhone, ProblemError, type Country } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import { doctorRecord, type DoctorRecord } from '../doctors/doctor-record.ts';
import { doctorById } from '../doctors/read-doctor.ts';
import { pharmacistRecord, type PharmacistRecord } from '../pharmacists/pharmacist-record.ts';
import { aboutProfile, differenceOf, type RequestedChange } from '../record-change.ts';
import { noteFreedTimes } from '../waitlist/freed-times.ts';

/**
 * Changes what patients see of a doctor; omitted fields stay. Appointments keep the name they were booked under.
 *
 * @param session - the transaction of profile and event
 * @throws ProblemError `not_found`
 */
export async function changeDoctor(
  { collections, id, requested, recordChange }: RequestedChange<ParsedBody<'changeDoctor'>>,
  session: ClientSession,
): Promise<DoctorRecord> {
  const { doctors } = collections;
  const doctor = await doctorById(doctors, id, session);
  const difference = differenceOf(doctor, requested);
  if (!difference) return doctor;
  const { _id, ...changed } = doctorRecord({ ...doctor, ...difference.after });
  await doctors.updateOne({ _id }, { $set: changed }, { session });
  if (changed.specialtyKey !== doctor.specialtyKey)
    await noteFreedTimes(collections, { doctorEmail: doctor.email }, session);
  await recordChange(session, {
    ...aboutProfile('doctor', doctor),
    action: 'profile changed',
    ...difference,
  });
  return { _id, ...changed };
}

/** The same for a pharmacist. @param country - of phone numbers without a country's code */
export async function changePharmacist(
  { collections, id, requested, recordChange }: RequestedChange<ParsedBody<'changePharmacist'>>,
  country: Country,
  session: ClientSession,
): Promise<PharmacistRecord> {
  const { pharmacists } = collections;
  const pharmacist = await pharmacists.findOne({ _id: id }, { session });
  if (!pharmacist) throw new ProblemError('not_found', { detail: 'We can’t find this pharmacist.' });
  const difference = differenceOf(pharmacist, requested);
  if (!difference) return pharmacist;
  const changes = { ...pharmacist, ...difference.after };
  const phoneE164 = internationalPhone(changes.phone, country);
  const { _id, ...changed } = pharmacistRecord({ ...changes, phoneE164 });
  await pharmacists.updateOne({ _id }, { $set: changed }, { session });
  await recordChange(session, {
    ...aboutProfile('pharmacist', pharmacist),
    action: 'profile changed',
    ...difference,
  });
  return { _id, ...changed };
}
