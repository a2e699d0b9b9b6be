import { addCalls } from '@clinic/app-kit';
import { scheduleCalls } from '@clinic/svc-clinic/contract/schedule-calls';

// The table of all pages doesn’t have them.
addCalls(scheduleCalls);

/** What a changed schedule outdates on screen. */
export const touchedBySchedule = [
  'getSchedule',
  'getProfiles',
  'listDoctors',
  'listFreeTimes',
  'listFreeDays',
  'listAppointmentsOutsideTimes',
  'listVisitsOnHolidays',
  'getClinicCalendar',
] as const;
