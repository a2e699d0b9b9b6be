import type { Doctor, ParsedBody, Pharmacist } from '@clinic/contracts';
import { isDuplicateKey, ProblemError } from '@clinic/service-kit';
import { ObjectId, type ClientSession } from 'mongodb';
import type { ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import { doctorFields, doctorRecord, toDoctor } from '../doctors/doctor-record.ts';
import { pharmacistRecord, toPharmacist } from '../pharmacists/pharmacist-record.ts';
import type { RecordChange } from '../record-change.ts';

export interface NewProfile {
  readonly collections: ClinicCollections;
  readonly profile: ParsedBody<'createProfile'>;
  readonly clock: ClinicClock;
  readonly recordChange: RecordChange;
}

/**
 * Creates a doctor's or pharmacist's profile (specification section 3, profile-creation payload). A new doctor can be
 * booked at once, at any time of day until times are listed.
 *
 * @param session - the transaction that profile and event share
 * @throws MongoServerError 11000 when the e-mail has such a profile already; see {@link explainDuplicateProfile}
 */
export async function createProfile(request: NewProfile, session: ClientSession): Promise<Doctor | Pharmacist> {
  return request.profile.role === 'doctor' ? createDoctor(request, session) : createPharmacist(request, session);
}

async function createDoctor({ collections, profile, clock, recordChange }: NewProfile, session: ClientSession): Promise<Doctor> {
  const record = doctorRecord({
    _id: new ObjectId(),
    name: profile.name,
    email: profile.email,
    qualification: profile.qualification,
    // Dashboard lists show `education` as the specialization (specification section 3).
    education: profile.specialization,
    specialization: profile.specialization,
    experience: profile.experience,
    location: '',
    image: '',
    isAvailable: true,
    availableTimes: [],
    rating: 0,
    createdAt: clock.now,
  });
  await collections.doctors.insertOne(record, { session });
  await recordChange(session, { record: { type: 'doctor', id: record._id }, concerns: [record.email], action: 'created', before: null, after: doctorFields(record, clock.today) });
  // Without listed times there is no next free slot.
  return toDoctor(record, clock, undefined);
}

async function createPharmacist({ collections, profile, clock, recordChange }: NewProfile, session: ClientSession): Promise<Pharmacist> {
  const record = pharmacistRecord({
    _id: new ObjectId(),
    name: profile.name,
    email: profile.email,
    phone: '',
    status: 'active',
    qualification: profile.qualification,
    specialization: profile.specialization,
    experience: profile.experience,
    createdAt: clock.now,
  });
  await collections.pharmacists.insertOne(record, { session });
  const pharmacist = toPharmacist(record);
  await recordChange(session, { record: { type: 'pharmacist', id: record._id }, concerns: [record.email], action: 'created', before: null, after: pharmacist });
  return pharmacist;
}

/** Turns the database's refusal of a second profile into the answer for people; other errors come back unchanged. */
export function explainDuplicateProfile(error: unknown, { profile }: NewProfile): unknown {
  if (!isDuplicateKey(error)) return error;
  return new ProblemError('duplicate', {
    detail: `There is a ${profile.role} with this e-mail address already.`,
    errors: [{ field: 'email', message: `There is a ${profile.role} with this e-mail address already` }],
  });
}
