import { z } from 'zod';
import { maxReason } from '../limits.ts';
import { email, isoDate, optionalText, phone, text, timeOfDay } from './fields.ts';

/** Whole years. */
const age = z
  .number({
    error: (issue) => (issue.input === undefined || issue.input === null ? 'Age is required' : 'Age must be a number'),
  })
  .int('Age must be a whole number of years')
  .min(1, 'Age must be positive')
  .max(150, 'Age must be 150 or under');

/** The details of a patient for a visit. All calls that take one of them pick it here, with its rule and its messages. */
export const patientDetails = { patientname: text('Patient name'), age, address: text('Address'), number: phone };

/** A visit's patient: whose it is, and why they come. */
export const visitPatient = {
  ...patientDetails,
  patientemail: email,
  reason: optionalText('Reason for the visit', maxReason).optional(),
};

/** The details of an account's owner. */
export const accountDetails = {
  firstName: text('First name'),
  lastName: text('Last name'),
  phone,
  dateOfBirth: isoDate('Date of birth'),
};

/** The profile of a doctor or pharmacist. */
export const professionalDetails = {
  name: text('Name'),
  qualification: text('Qualification'),
  specialization: text('Specialization'),
  experience: z
    .number({ error: 'Experience must be a number of years' })
    .min(0, 'Experience must be 0 or more')
    .max(80, 'Experience must be 80 years or fewer'),
};

/** Where a doctor works. */
export const workplace = optionalText('Location').optional();

/** A doctor's times of one day. */
export const listedTimes = z.array(timeOfDay).max(96, 'You can list at most 96 times a day');

/** The profile an invited person starts with, which svc-identity hands to svc-clinic: a doctor's also has times. */
export const staffProfile = z.object({
  ...professionalDetails,
  location: workplace,
  availableTimes: listedTimes.optional(),
});
export type StaffProfile = z.output<typeof staffProfile>;
