import { z } from 'zod';
import { isoDate, optionalText, phone, text, timeOfDay } from './fields.ts';

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
