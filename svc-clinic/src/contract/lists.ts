import type { CallId } from '@clinic/contracts';

/** The lists of appointments, which the live line names when one changes. */
export const appointmentLists = [
  'listAppointments',
  'listUnconfirmedAppointments',
  'listAppointmentsOutsideTimes',
  'listVisitsOnHolidays',
  'getClinicCalendar',
  'getDay',
] as const satisfies readonly CallId[];

/** The same of places on the waitlist and offers. */
export const waitlistLists = [
  'listWaitlist',
  'listWaitingForDoctor',
  'listOffers',
] as const satisfies readonly CallId[];

/** What a change to an appointment outdates. */
export const touchedByAppointments = [
  ...appointmentLists,
  'listFreeTimes',
  'listFreeDays',
  'getAppointmentHistory',
  'listOpenQuestions',
] as const satisfies readonly CallId[];
