import { internationalPhone } from '@clinic/service-kit';
import { visitDetails, type VisitDetails } from '../contract/patient.ts';
import type { ClinicContext } from '../settings.ts';

/**
 * The name in the database of each detail that a visit is requested with, and what the history has of it: nothing
 * medical, only that it was `given`.
 */
const kept = {
  patientname: { as: 'patientName', inHistory: 'value' },
  /** Years. */
  age: { as: 'age', inHistory: 'value' },
  address: { as: 'address', inHistory: 'value' },
  /** As typed. */
  number: { as: 'phone', inHistory: 'value' },
  reason: { as: 'reason', inHistory: 'given' },
} as const satisfies {
  [Detail in keyof VisitDetails]-?: { readonly as: string; readonly inHistory: 'value' | 'given' };
};

/** A patient's details in an appointment and in a place on the waitlist; an optional one that wasn't given is absent. */
export type PatientFields = {
  readonly [Detail in keyof VisitDetails as (typeof kept)[Detail]['as']]: Exclude<VisitDetails[Detail], undefined>;
} & {
  /** The phone number in international form (E.164); empty: not a whole number; absent: written by the previous release. */
  readonly phoneE164?: string;
};

const details = Object.entries(kept) as [keyof VisitDetails, (typeof kept)[keyof VisitDetails]][];

/** From a request to the database. @param country - of phone numbers without a country code */
export function patientFields(
  requested: VisitDetails,
  country: ClinicContext['settings']['CLINIC_COUNTRY'],
): PatientFields {
  const fields = details.flatMap(([name, { as }]) => (isGiven(name, requested[name]) ? [[as, requested[name]]] : []));
  return { ...(Object.fromEntries(fields) as PatientFields), phoneE164: internationalPhone(requested.number, country) };
}

/** From the database to the wire. */
export function detailsOf(record: PatientFields): VisitDetails {
  const fields = details.flatMap(([name, { as }]) => (record[as] === undefined ? [] : [[name, record[as]]]));
  return Object.fromEntries(fields) as VisitDetails;
}

/** {@link detailsOf} for the history. */
export function detailsForHistory(record: PatientFields): VisitDetails {
  const medical = details.filter(([, { as, inHistory }]) => inHistory === 'given' && record[as] !== undefined);
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
