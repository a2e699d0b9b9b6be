import { phoneMessage, phonePattern } from '@clinic/contracts/limits';
import { ageMessages, maxAge } from '@clinic/svc-clinic/contract/limits';
import type { AboutVisit, VisitDetails } from '@clinic/svc-clinic/contract/patient';
import type { RegisterOptions } from 'react-hook-form';
import { dateProblem } from '../slots/use-slot.ts';

/** Who comes; `number` is the phone number, as in the call. */
export interface PatientDetails {
  patientname: string;
  age: string;
  number: string;
  address: string;
}

export type PatientDetail = keyof PatientDetails;

/** The form's fields. */
export type BookingFields = Record<keyof VisitDetails | 'patientemail' | 'date' | 'time', string>;

export type BookingField = keyof BookingFields;

export const emptyBooking: BookingFields = {
  patientname: '',
  patientemail: '',
  age: '',
  number: '',
  address: '',
  reason: '',
  date: '',
  time: '',
};

export const isField = (name: string): name is BookingField => Object.hasOwn(emptyBooking, name);

type Rule = (value: string) => true | string;

/** What each detail must be, with its message. */
export const patientRules: {
  readonly [Detail in PatientDetail]: { readonly validate: Rule | Readonly<Record<string, Rule>> };
} = {
  patientname: { validate: filled('Patient name is required') },
  age: {
    validate: {
      required: filled('Age is required'),
      least: (age: string) => Number(age) >= 1 || ageMessages.least,
      most: (age: string) => Number(age) <= maxAge || ageMessages.most,
      whole: (age: string) => Number.isInteger(Number(age)) || ageMessages.whole,
    },
  },
  number: {
    validate: {
      required: filled('Phone number is required'),
      pattern: (number: string) => phonePattern.test(number.trim()) || phoneMessage,
    },
  },
  address: { validate: filled('Address is required') },
};

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
    ...patientRules,
    patientemail: { validate: filled('Email is required') },
    reason: {},
    date: { validate: (date) => dateProblem(date, today, until) ?? true },
    time: { validate: filled('Time is required') },
  };
}

/** Whitespace alone counts as empty. */
function filled(message: string): Rule {
  return (value) => value.trim() !== '' || message;
}

/** Leaves out what wasn't typed. The compiler asks for every field that the call takes. */
export function aboutVisit({ reason }: Pick<BookingFields, keyof AboutVisit>): AboutVisit {
  const typed: { readonly [Field in keyof AboutVisit]-?: AboutVisit[Field] | '' } = { reason: reason.trim() };
  return Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== '')) as AboutVisit;
}

/** The slot that a link to the booking form names, e.g. `?date=2026-12-01&time=09:30`; anything else in the address is ignored. */
export function slotFrom(search: URLSearchParams): Partial<Pick<BookingFields, 'date' | 'time'>> {
  const date = search.get('date') ?? '';
  const time = search.get('time') ?? '';
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return {};
  // Without a time of its own, the day doesn't take one that was typed for another.
  return { date, time: /^\d{2}:\d{2}$/.test(time) ? time : '' };
}
