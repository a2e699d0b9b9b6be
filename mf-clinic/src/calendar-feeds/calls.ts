import { addCalls } from '@clinic/app-kit';
import { calendarFeedCalls } from '@clinic/svc-clinic/contract/calendar-feed-calls';

// The table of all pages doesn't have them.
addCalls(calendarFeedCalls);
