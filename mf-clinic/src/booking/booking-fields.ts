import { phoneMessage, phonePattern } from '@clinic/contracts/limits';
import type { RegisterOptions } from 'react-hook-form';
import { dateProblem } from '../slots/date-problem.ts';

/** The form's fields; `number` is the phone number, as in the call. */
export interface BookingFields {
  patientname: string;
  patientemail: string;
  age: string;
  number: string;
  address: string;
  reason: string;
  date: string;
  time: string;
}

export type BookingField = keyof BookingFields;

/**
 * The rules of docs/product.md (Booking) with their messages. The service's further checks come back as field errors.
 *
 * @param today - 'yyyy-mm-dd' in the clinic's time zone
 * @param until - the last bookable day, if the service has one
 */
export function bookingRules(
  today: string,
  until: string | undefined,
): { readonly [Field in BookingField]: RegisterOptions<BookingFields, Field> } {
  return {
    patientname: { validate: filled('Patient name is required') },
    patientemail: { validate: filled('Email is required') },
    age: {
      validate: {
        required: filled('Age is required'),
        positive: (age) => Number(age) >= 1 || 'Age must be positive',
        whole: (age) => Number.isInteger(Number(age)) || 'Age must be a whole number of years',
      },
    },
    number: {
      validate: {
        required: filled('Phone number is required'),
        pattern: (number) => phonePattern.test(number.trim()) || phoneMessage,
      },
    },
    address: { validate: filled('Address is required') },
    reason: {},
    date: { validate: (date) => dateProblem(date, today, until) ?? true },
    time: { validate: filled('Time is required') },
  };
}

/** Whitespace alone counts as empty. */
function filled(message: string): (value: string) => true | string {
  return (value) => value.trim() !== '' || message;
}
