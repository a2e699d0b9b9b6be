import { isAllowed, type Caller, type ParsedBody } from '@clinic/contracts';
import { isNobodysEmail, noEmail } from '@clinic/contracts/erased-person';
import { internationalPhone, newId, ProblemError, rejected } from '@clinic/service-kit';
import { z } from 'zod';
import { desk } from '../contract/desk.ts';
import { patientDetails, visitDetails, type PatientDetails, type VisitDetails } from '../contract/patient.ts';
import type { ClinicContext } from '../settings.ts';

/** The name in the database of each detail that a visit is requested with. */
const names = {
  patientname: 'patientName',
  /** Years. */
  age: 'age',
  address: 'address',
  /** As typed. */
  number: 'phone',
  reason: 'reason',
} as const satisfies { [Detail in keyof VisitDetails]-?: string };

/** A patient's details in an appointment and in a place on the waitlist; an optional one that wasn't given is absent. */
export type PatientFields = {
  readonly [Detail in keyof VisitDetails as (typeof names)[Detail]]: Exclude<VisitDetails[Detail], undefined>;
} & {
  /** The phone number in international form (E.164); empty: not a whole number; absent: written by the previous release. */
  readonly phoneE164?: string;
};

const details = Object.entries(names) as [keyof VisitDetails, (typeof names)[keyof VisitDetails]][];
const isMedical = (name: keyof VisitDetails): boolean => !Object.hasOwn(patientDetails, name);

/** From a request to the database. @param country - of phone numbers without a country code */
export function patientFields(
  requested: VisitDetails,
  country: ClinicContext['settings']['CLINIC_COUNTRY'],
): PatientFields {
  const fields = details.flatMap(([name, as]) => (isGiven(name, requested[name]) ? [[as, requested[name]]] : []));
  return { ...(Object.fromEntries(fields) as PatientFields), phoneE164: internationalPhone(requested.number, country) };
}

/** From the database to the wire. */
export function detailsOf(record: PatientFields): VisitDetails {
  const fields = details.flatMap(([name, as]) => (record[as] === undefined ? [] : [[name, record[as]]]));
  return Object.fromEntries(fields) as VisitDetails;
}

/** {@link detailsOf} for everybody who may read the visit: without what tells about health. */
export function personOf(record: PatientFields): PatientDetails {
  const known = details.filter(([name]) => !isMedical(name)).map(([name, as]) => [name, record[as]]);
  return Object.fromEntries(known) as PatientDetails;
}

/** {@link detailsOf} for the history, which only has that something medical was given. */
export function detailsForHistory(record: PatientFields): VisitDetails {
  const medical = details.filter(([name, as]) => isMedical(name) && record[as] !== undefined);
  return { ...detailsOf(record), ...Object.fromEntries(medical.map(([name]) => [name, 'given'])) };
}

/** Details with those of a request instead, as far as it has them. */
export function withDetails(known: VisitDetails, requested: Partial<VisitDetails>): VisitDetails {
  const given = details.flatMap(([name]) => (requested[name] === undefined ? [] : [[name, requested[name]]]));
  return { ...known, ...(Object.fromEntries(given) as Partial<Record<keyof VisitDetails, never>>) };
}

/** An optional text that is empty counts as none; the schemas have trimmed it. */
const isGiven = (name: keyof VisitDetails, value: unknown): boolean =>
  value !== undefined && !(value === '' && visitDetails[name].safeParse(undefined).success);

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
