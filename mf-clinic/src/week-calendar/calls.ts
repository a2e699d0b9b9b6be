import { addCalls } from '@clinic/app-kit';
import { calendarCalls } from '@clinic/svc-clinic/contract/calendar-calls';

// The table of all pages doesn’t have them.
addCalls(calendarCalls);

/** The calendar's own list, which the live line names when it changes. */
export const calendarLists = ['getClinicCalendar'] as const;
