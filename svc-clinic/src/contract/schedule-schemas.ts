import { weekdays } from '@clinic/contracts/opening-days';
import { id, isoDate, optionalText, timeOfDay } from '@clinic/contracts/schemas/fields';
import { z } from 'zod';
import { scheduleLimits as limits } from './limits.ts';
import { shownVisit } from './appointment-schema.ts';

/** The end of a span: a time of day, or midnight at the end of the day. */
const endOfSpan = z
  .string({ error: 'End is required' })
  .trim()
  .min(1, 'End is required')
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'End must be a time of day (HH:mm), or 24:00');

const startOfSpan = timeOfDay;
const minutes = (label: string, least: number, most: number) =>
  z
    .number({ error: `${label} must be a number of minutes` })
    .int(`${label} must be a whole number of minutes`)
    .min(least, `${label} must be at least ${least} ${least === 1 ? 'minute' : 'minutes'}`)
    .max(most, `${label} must be at most ${most} minutes`);

/** Where a doctor sees patients in a span; if empty, the location in the profile. */
const place = optionalText('Place', limits.placeLength).default('');

/** Hours on a weekday, every week, in the clinic's time zone. */
export const weeklySpan = z.object({
  day: z.enum(weekdays, { error: `Day must be one of ${weekdays.join(', ')}` }),
  from: startOfSpan,
  /** Not after `from`: on the next day. */
  until: endOfSpan,
  place,
});
export type WeeklySpan = z.output<typeof weeklySpan>;

/** Weekly hours, and the days from and until which they apply. */
export const schedulePeriod = z.object({
  /** First day, 'yyyy-mm-dd'; absent if it has always applied. */
  from: isoDate('First day').optional(),
  /** Last day, inclusive; absent if until further notice. */
  until: isoDate('Last day').optional(),
  slotMinutes: minutes('Appointment length', limits.leastSlotMinutes, limits.mostSlotMinutes),
  /** Minutes kept free after each appointment. */
  bufferMinutes: minutes('Time between appointments', 0, limits.mostBufferMinutes).default(0),
  hours: z
    .array(weeklySpan)
    .max(limits.spansPerDay * 7, `You can list at most ${limits.spansPerDay} spans of hours a day`),
});

/** A day that differs from the weekly hours. */
export const scheduleException = z.object({
  date: isoDate('Date'),
  /** `extra`: additional hours; `off`: these hours of the day are off. Whole days off are in `daysOff`. */
  kind: z.enum(['extra', 'off'], { error: 'Kind must be extra or off' }),
  from: startOfSpan,
  until: endOfSpan,
  place,
});
export type ScheduleException = z.output<typeof scheduleException>;

/** A doctor's schedule. */
export const schedule = z.object({
  /** Changes whenever the schedule does; send it back with a change. */
  version: z.string(),
  takesAppointments: z.boolean(),
  /** If empty, the doctor can't be booked. */
  periods: z.array(schedulePeriod),
  /** From today on, 'yyyy-mm-dd', ascending. */
  daysOff: z.array(z.string()),
  /** From today on, in order. */
  exceptions: z.array(scheduleException),
});
export type Schedule = z.output<typeof schedule>;

/** Days on which nobody can be booked. */
export const holiday = z.object({
  _id: id,
  name: z.string(),
  /** First and last day, inclusive, 'yyyy-mm-dd'. */
  from: z.string(),
  until: z.string(),
});
export type Holiday = z.output<typeof holiday>;

const visit = z.object({ minutes: z.number(), place: z.string() });

/** An appointment whose promise a schedule doesn't cover. */
export const outsideAppointment = shownVisit.extend({
  _id: id,
  doctoremail: z.string(),
  /** Length and place that the patient was promised. Services of earlier releases omit this and the next two. */
  promised: visit.optional(),
  /** What no longer fits; `overlap`: another appointment of an earlier release has part of its time. */
  why: z.array(z.enum(['time', 'length', 'place', 'overlap'])).optional(),
  /** Length and place that the hours have at its time now; absent if there is no such time. */
  now: visit.optional(),
});
export type OutsideAppointment = z.output<typeof outsideAppointment>;

/** The times of one day under a schedule. */
export const scheduledDay = z.object({
  date: z.string(),
  /** Why there are none. */
  closed: z.enum(['holiday', 'day off', 'no hours']).optional(),
  /** Name of the holiday. */
  holiday: z.string().optional(),
  times: z.array(z.object({ time: z.string(), place: z.string(), taken: z.boolean() })),
});
export type ScheduledDay = z.output<typeof scheduledDay>;
