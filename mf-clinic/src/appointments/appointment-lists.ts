import type { CallId } from '@clinic/contracts';

/** The lists of appointments on all screens. */
export const appointmentLists = [
  'listAppointments',
  'listUnconfirmedAppointments',
  'listAppointmentsOutsideTimes',
  'getClinicCalendar',
  'getDay',
] as const satisfies readonly CallId[];

/** What a change to an appointment outdates. */
export const touchedByAppointments = [
  ...appointmentLists,
  'listFreeTimes',
  'listFreeDays',
  'getAppointmentHistory',
  'listOpenQuestions',
] as const satisfies readonly CallId[];
