import { defineRoutes } from '@clinic/contracts/define-routes';

/** The calls about a person's calendar subscription: a secret address at which calendars read their appointments. */
export const calendarFeedRoutes = defineRoutes('clinic', {
  getCalendarFeed: {
    method: 'GET',
    path: '/appoinments/calendar-feed',
    access: { kind: 'session' },
    summary: 'Get whether the caller has a calendar subscription, and since when',
  },
  replaceCalendarFeed: {
    method: 'POST',
    path: '/appoinments/calendar-feed',
    access: { kind: 'session', freshProof: 'always' },
    status: 201,
    errors: ['rate_limited', 'proof_needed'],
    summary: "Make the secret address of the caller's calendar subscription; an earlier address stops working",
  },
  endCalendarFeed: {
    method: 'DELETE',
    path: '/appoinments/calendar-feed',
    access: { kind: 'session' },
    status: 204,
    summary: "End the caller's calendar subscription: its address stops working",
  },
  readCalendarFeed: {
    method: 'GET',
    path: '/calendar-feed/:secret',
    access: { kind: 'everyone' },
    errors: ['not_found', 'rate_limited'],
    media: 'text/calendar',
    forPrograms: true,
    summary: 'Get the appointments of the person whose secret address this is as a calendar (RFC 5545)',
    decides: { 'params.secret': 'proof' },
    unnoted: 'programs of the person read it at its secret address',
  },
});
