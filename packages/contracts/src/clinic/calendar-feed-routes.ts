import type { Route } from '../route.ts';

/** The calls about a person's calendar subscription: a secret address at which calendars read their appointments. */
export const calendarFeedRoutes = {
  getCalendarFeed: {
    service: 'clinic',
    method: 'GET',
    path: '/appoinments/calendar-feed',
    access: { kind: 'session' },
    status: 200,
    errors: [],
    summary: 'Get whether the caller has a calendar subscription, and since when',
  },
  replaceCalendarFeed: {
    service: 'clinic',
    method: 'POST',
    path: '/appoinments/calendar-feed',
    access: { kind: 'session' },
    status: 201,
    errors: [],
    summary: "Make the secret address of the caller's calendar subscription; an earlier address stops working",
  },
  endCalendarFeed: {
    service: 'clinic',
    method: 'DELETE',
    path: '/appoinments/calendar-feed',
    access: { kind: 'session' },
    status: 204,
    errors: [],
    summary: "End the caller's calendar subscription: its address stops working",
  },
  readCalendarFeed: {
    service: 'clinic',
    method: 'GET',
    path: '/calendar-feed/:secret',
    access: { kind: 'everyone' },
    status: 200,
    errors: ['not_found', 'rate_limited'],
    media: 'text/calendar',
    forPrograms: true,
    summary: 'Get the appointments of the person whose secret address this is as a calendar (RFC 5545)',
  },
} as const satisfies Record<string, Route>;
