import { asSeen, email, id, optionalText, phone, text } from '@clinic/contracts/schemas/fields';
import { z } from 'zod';
import { ageMessages, maxAge, maxReason } from './limits.ts';

/** Whole years. */
const age = z
  .number({
    error: (issue) => (issue.input === undefined || issue.input === null ? 'Age is required' : 'Age must be a number'),
  })
  .int(ageMessages.whole)
  .min(1, ageMessages.least)
  .max(maxAge, ageMessages.most);

/** Who the patient of a visit is. All calls that take one of these pick it here, with its rule and its messages. */
export const patientDetails = { patientname: text('Patient name'), age, address: text('Address'), number: phone };
export type PatientDetails = z.output<z.ZodObject<typeof patientDetails>>;

/**
 * What a visit is about. It tells about health: the reception doesn't read it, further visits don't copy it. Optional, as
 * front-ends of earlier releases omit it.
 */
export const aboutVisit = { reason: optionalText('Reason for the visit', maxReason).optional() };
export type AboutVisit = z.output<z.ZodObject<typeof aboutVisit>>;

/** What every way to book takes. */
export const visitDetails = { ...patientDetails, ...aboutVisit };
export type VisitDetails = z.output<z.ZodObject<typeof visitDetails>>;

/** A visit's patient: whose it is, and {@link visitDetails}. */
export const visitPatient = { ...visitDetails, patientemail: email };

/** The account that staff saw at `patientemail`: if the address is somebody else's by now, the call is rejected. */
export const seenPatient = { userId: asSeen(id) };

/**
 * {@link visitPatient} as a booking takes it: `null` where staff don't know it, or the patient has no email address. Patients
 * know all of it.
 */
export const bookedPatient = {
  ...visitPatient,
  ...seenPatient,
  patientemail: email.nullable(),
  age: age.nullable(),
  address: patientDetails.address.nullable(),
  number: phone.nullable(),
};

/** {@link patientDetails} as responses have them: records keep the rules of their time. */
export const shownPerson = {
  patientname: z.string(),
  /** `noEmail` if the patient has none. */
  patientemail: z.string(),
  /** 0 if staff booked without it. */
  age: z.number(),
  /** Empty if staff booked without it, as the phone number. */
  address: z.string(),
  /** Phone number. */
  number: z.string(),
} satisfies Record<keyof typeof patientDetails | 'patientemail', z.ZodType>;

/** Details as they were on screen: if somebody has changed one of them since, a correction is rejected. */
export const seenPerson = z.object(shownPerson).omit({ patientemail: true }).partial();

/** {@link visitPatient} as responses have it. */
export const shownPatient = {
  ...shownPerson,
  /** Why the patient comes, in their words; absent if they gave none, and in services of earlier releases. */
  reason: z.string().optional(),
} satisfies Record<keyof typeof visitPatient, z.ZodType>;
