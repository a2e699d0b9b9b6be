import type { CallId } from '@clinic/contracts';

/** The lists of appointments on any screen. */
export const appointmentLists = ['listAppointments', 'listUnconfirmedAppointments', 'listAppointmentsOutsideTimes'] as const satisfies readonly CallId[];

/** What a change of an appointment makes outdated. */
export const touchedByAppointments = [...appointmentLists, 'listFreeTimes', 'listFreeDays', 'getAppointmentHistory'] as const satisfies readonly CallId[];
