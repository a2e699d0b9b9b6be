import { clinicToday } from '@clinic/app-kit/clinic-today';
import { phoneMessage, phonePattern } from '@clinic/contracts';
import { all, matching, required } from './use-fields.ts';

/** Rules for everybody's personal details. */
export const profileRules = {
  firstName: required('First name is required'),
  lastName: required('Last name is required'),
  phone: all(required('Phone number is required'), matching(phonePattern, phoneMessage)),
  dateOfBirth: all(required('Date of birth is required'), (value) =>
    value > clinicToday() ? 'Date of birth can’t be in the future' : undefined,
  ),
};
