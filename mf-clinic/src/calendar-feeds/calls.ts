import { addCalls } from '@clinic/app-kit';
import { calendarFeedRoutes } from '@clinic/svc-clinic/contract/calendar-feed-routes';

// The table of all pages doesn't have them.
addCalls(calendarFeedRoutes);
