import type { ParsedBody } from '@clinic/contracts';
import { isDuplicateKey, ProblemError } from '@clinic/service-kit';
import { ObjectId, type ClientSession } from 'mongodb';
import type { ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import { inOrder } from '../doctors/change-availability.ts';
import { doctorFields, doctorRecord, type DoctorRecord } from '../doctors/doctor-record.ts';
import { pharmacistRecord, toPharmacist, type PharmacistRecord } from '../pharmacists/pharmacist-record.ts';
import { aboutProfile, type RecordChange } from '../record-change.ts';
import { noteFreedTimes } from '../waitlist/freed-times.ts';

/** What an invitation may contain besides the fields of an admin's form. */
interface ProfileDetails {
  readonly location?: string | undefined;
  /** 'HH:mm' in the clinic's time zone. */
  readonly availableTimes?: readonly string[] | undefined;
  /** The account of the profile's person. */
  readonly accountId?: string;
}

export interface NewProfile {
  readonly collections: ClinicCollections;
  readonly profile: ParsedBody<'createProfile'> & ProfileDetails;
  readonly clock: ClinicClock;
  readonly recordChange: RecordChange;
}

/**
 * Creates a doctor's or pharmacist's profile. A new doctor can be booked immediately, at any time of day until times are
 * listed.
 *
 * @param session - the transaction of profile and event
 * @throws MongoServerError 11000 if the email already has such a profile; see {@link explainDuplicateProfile}
 */
export async function createProfile(
  request: NewProfile,
  session: ClientSession,
): Promise<DoctorRecord | PharmacistRecord> {
  return request.profile.role === 'doctor' ? createDoctor(request, session) : createPharmacist(request, session);
}

async function createDoctor(
  { collections, profile, clock, recordChange }: NewProfile,
  session: ClientSession,
): Promise<DoctorRecord> {
  const record = doctorRecord({
    _id: new ObjectId(),
    name: profile.name,
    email: profile.email,
    qualification: profile.qualification,
    // Dashboard lists show `education` as the specialization.
    education: profile.specialization,
    specialization: profile.specialization,
    experience: profile.experience,
    location: profile.location ?? '',
    image: '',
    isAvailable: true,
    availableTimes: inOrder(profile.availableTimes ?? []),
    rating: 0,
    createdAt: clock.now,
    ...(profile.accountId !== undefined && { accountId: profile.accountId }),
  });
  await collections.doctors.insertOne(record, { session });
  await noteFreedTimes(collections, { doctorEmail: record.email }, session);
  await recordChange(session, {
    ...aboutProfile('doctor', record),
    action: 'created',
    before: null,
    after: doctorFields(record, clock.today),
  });
  return record;
}

async function createPharmacist(
  { collections, profile, clock, recordChange }: NewProfile,
  session: ClientSession,
): Promise<PharmacistRecord> {
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
    ...(profile.accountId !== undefined && { accountId: profile.accountId }),
  });
  await collections.pharmacists.insertOne(record, { session });
  await recordChange(session, {
    ...aboutProfile('pharmacist', record),
    action: 'created',
    before: null,
    after: toPharmacist(record),
  });
  return record;
}

/** Maps the duplicate key error of a second profile to a problem for the user; returns other errors unchanged. */
export function explainDuplicateProfile(error: unknown, { profile }: NewProfile): unknown {
  if (!isDuplicateKey(error)) return error;
  const list = profile.role === 'doctor' ? 'Doctors' : 'Pharmacists';
  const message = `There’s already a ${profile.role} with this email address. Edit that profile under ${list}, or use another address`;
  return new ProblemError('duplicate', { detail: `${message}.`, errors: [{ field: 'email', message }] });
}
