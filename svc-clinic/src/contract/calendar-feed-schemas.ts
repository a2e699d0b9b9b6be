import { z } from 'zod';

/** A person's calendar subscription. */
export const calendarFeed = z.object({
  /** When the current address was created, as an ISO instant; absent if there is no subscription. */
  since: z.string().optional(),
});
export type CalendarFeed = z.output<typeof calendarFeed>;

/** Schemas of the calls about calendar subscriptions. */
export const calendarFeedSchemas = {
  getCalendarFeed: { response: calendarFeed },
  replaceCalendarFeed: {
    response: z.object({
      since: z.string(),
      /** The secret path of the calendar, shown this once: only its hash is stored. */
      path: z.string(),
    }),
  },
  endCalendarFeed: { response: z.undefined() },
  readCalendarFeed: {
    params: z.object({
      secret: z.string().max(200, 'This isn’t the address of a calendar'),
    }),
    response: z.string(),
  },
} as const;
