import { defineCalls } from '@clinic/contracts/define-calls';
import { z } from 'zod';

/** A person's calendar subscription. */
export const calendarFeed = z.object({
  /** When the current address was created, as an ISO instant; absent if there is no subscription. */
  since: z.string().optional(),
});

/** The calls about a person's calendar subscription: a secret address at which calendars read their appointments. */
export const calendarFeedCalls = defineCalls('clinic', {
  getCalendarFeed: {
    method: 'GET',
    path: '/appoinments/calendar-feed',
    access: { kind: 'session' },
    summary: 'Get whether the caller has a calendar subscription, and since when',
    response: calendarFeed,
  },
  replaceCalendarFeed: {
    method: 'POST',
    path: '/appoinments/calendar-feed',
    access: { kind: 'session', freshProof: 'always' },
    status: 201,
    errors: ['rate_limited', 'proof_needed'],
    summary: "Make the secret address of the caller's calendar subscription; an earlier address stops working",
    response: z.object({
      since: z.string(),
      /** The secret path of the calendar, shown this once: only its hash is stored. */
      path: z.string(),
    }),
  },
  endCalendarFeed: {
    method: 'DELETE',
    path: '/appoinments/calendar-feed',
    access: { kind: 'session' },
    status: 204,
    summary: "End the caller's calendar subscription: its address stops working",
    response: z.undefined(),
  },
  readCalendarFeed: {
    method: 'GET',
    path: '/calendar-feed/:secret',
    access: { kind: 'everyone' },
    errors: ['not_found', 'rate_limited'],
    media: 'text/calendar',
    forPrograms: true,
    summary: 'Get the appointments of the person whose secret address this is as a calendar (RFC 5545)',
    params: z.object({
      secret: z.string().max(200, 'This isn’t the address of a calendar'),
    }),
    response: z.string(),
    decides: { 'params.secret': 'proof' },
    unnoted: 'programs of the person read it at its secret address',
  },
});
