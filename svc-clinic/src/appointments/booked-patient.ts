import { isAllowed, type Caller, type ParsedBody } from '@clinic/contracts';
import { hasNoEmail, isNobodysEmail, noEmail } from '@clinic/contracts/erased-person';
import { newId, ProblemError } from '@clinic/service-kit';
import { z } from 'zod';
import type { ClinicCollections } from '../collections.ts';
import { patientDetails, type VisitDetails } from '../contract/patient.ts';
import { rejected } from '../rejected.ts';
import { desk } from '../contract/desk.ts';

type Requested = ParsedBody<'bookAppointment'>;

/** A booking with everything that a visit's record has. */
export type RequestedVisit = Omit<Requested, keyof VisitDetails | 'patientemail'> &
  VisitDetails & { readonly patientemail: string };

const wholePatient = z.object(patientDetails);

/**
 * Patients say everything about themselves. An admin books for somebody at the desk with a name and a way to reach them; the
 * doctor or the desk adds the rest when the patient is there.
 *
 * @throws ProblemError `validation_failed` naming what is missing
 */
export function requestedVisit(requested: Requested, caller: Caller): RequestedVisit {
  if (!isAllowed(caller, desk)) return fromPatient(requested);
  const { patientemail, number, age, address } = requested;
  if (patientemail === null && number === null) throw rejected('number', 'Phone number or email is required');
  return {
    ...requested,
    patientemail: patientemail ?? noEmail(newId().toHexString()),
    number: number ?? '',
    age: age ?? 0,
    address: address ?? '',
  };
}

/**
 * Requires an address that stands for that of a patient without one to be of such a patient: nobody makes up another.
 *
 * @param field - of the request
 */
export async function assertKnownPatient(
  { appointments }: Pick<ClinicCollections, 'appointments'>,
  field: string,
  patientEmail: string | null | undefined,
): Promise<void> {
  if (typeof patientEmail !== 'string' || !isNobodysEmail(patientEmail)) return;
  const known = hasNoEmail(patientEmail) && (await appointments.findOne({ patientEmail }, { projection: { _id: 1 } }));
  if (!known) throw patientGone(field, patientEmail);
}

/** The problem for a booking for somebody who has been deleted. @param field - of the request, with the address */
export const patientGone = (field: string, patientEmail: string): ProblemError =>
  rejected(
    field,
    isNobodysEmail(patientEmail) ? 'This patient has been deleted' : 'This patient’s account has been deleted',
  );

function fromPatient(requested: Requested): RequestedVisit {
  const { success, data, error } = wholePatient.safeParse(requested);
  const { patientemail } = requested;
  if (success && patientemail !== null) return { ...requested, ...data, patientemail };
  const missing = error?.issues.map(({ path, message }) => ({ field: path.map(String).join('.'), message }));
  throw new ProblemError('validation_failed', {
    errors: missing ?? [{ field: 'patientemail', message: 'Email is required' }],
    detail: missing?.[0]?.message,
  });
}
