import { hasRole, type Caller, type ParsedBody } from '@clinic/contracts';
import { noEmail } from '@clinic/contracts/erased-person';
import { newId, ProblemError } from '@clinic/service-kit';
import { z } from 'zod';
import { patientDetails, type VisitDetails } from '../contract/patient.ts';
import { rejected } from '../rejected.ts';

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
  if (!hasRole(caller, ['admin'])) return fromPatient(requested);
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
