import { maxReason } from '@clinic/contracts/limits';
import { email, optionalText, phone, text } from '@clinic/contracts/schemas/fields';
import { z } from 'zod';

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
