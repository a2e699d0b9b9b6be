import { addCalls } from '@clinic/app-kit';
import { calendarRoutes } from '@clinic/svc-clinic/contract/calendar-routes';

// The table of all pages doesn’t have them.
addCalls(calendarRoutes);

/** The calendar's own list, which the live line names when it changes. */
export const calendarLists = ['getClinicCalendar'] as const;
