import type { AccessRule, Caller } from '@clinic/contracts';
import { assertOwner, ProblemError, rejected } from '@clinic/service-kit';
import { ObjectId, type ClientSession } from 'mongodb';
import type { ClinicCollections } from '../collections.ts';
import type { DoctorRecord } from './doctor-record.ts';

type Doctors = ClinicCollections['doctors'];

interface OwnRequest {
  readonly params: { readonly id: string };
  readonly call: { readonly access: AccessRule };
  readonly caller: Caller;
}

/** @throws ProblemError `not_found` */
export async function doctorById(
  doctors: Doctors,
  id: string | ObjectId,
  session?: ClientSession,
): Promise<DoctorRecord> {
  const doctor = await doctors.findOne({ _id: new ObjectId(id) }, session && { session });
  if (!doctor) throw new ProblemError('not_found', { detail: 'We can’t find this doctor.' });
  return doctor;
}

/** The doctor of a call that only they and the admins may make, with access for the desk reception too. @throws ProblemError `not_found`, `forbidden` */
export async function ownDoctor(doctors: Doctors, { params, call, caller }: OwnRequest): Promise<DoctorRecord> {
  const doctor = await doctorById(doctors, params.id);
  assertOwner(call.access, caller, { doctor: doctor.accountId });
  return doctor;
}

/**
 * Rejects a change after which a suspended doctor would take appointments.
 *
 * @param field - that asks for it
 * @throws ProblemError `validation_failed`
 */
export function assertNotSuspended({ suspended }: DoctorRecord, field: string): void {
  if (suspended)
    throw rejected(field, 'This doctor’s account is switched off or doesn’t have the doctor role. Change that first');
}
