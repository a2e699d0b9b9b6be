import { addCalls } from '@clinic/app-kit';
import { scheduleRoutes } from '@clinic/svc-clinic/contract/schedule-routes';

// The table of all pages doesn’t have them.
addCalls(scheduleRoutes);

/** What a changed schedule outdates on screen. */
export const touchedBySchedule = [
  'getSchedule',
  'getProfiles',
  'listDoctors',
  'listFreeTimes',
  'listFreeDays',
  'listAppointmentsOutsideTimes',
  'getClinicCalendar',
] as const;
