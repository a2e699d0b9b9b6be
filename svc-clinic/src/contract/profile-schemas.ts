import { z } from 'zod';
import { id } from '@clinic/contracts/schemas/fields';

/** A doctor as shown in the directory and the dashboards. */
export const doctor = z.object({
  _id: id,
  id: z.string(),
  name: z.string(),
  email: z.string(),
  qualification: z.string(),
  education: z.string(),
  specialization: z.string(),
  /** Same value as `specialization`: the directory reads this field, the dashboards the other. */
  specialty: z.string(),
  /** Years. */
  experience: z.number(),
  location: z.string(),
  /** URL of a picture; if empty, show a placeholder. */
  image: z.string(),
  isAvailable: z.boolean(),
  /** 'HH:mm' in the clinic's time zone. */
  availableTimes: z.array(z.string()),
  /** Days off from today on, 'yyyy-mm-dd' in the clinic's time zone, ascending. */
  daysOff: z.array(z.string()),
  rating: z.number(),
  /**
   * The earliest free slot in the clinic's time zone. `null` if nothing is free up to the last bookable day, the doctor
   * takes no appointments, or has no hours.
   */
  nextFree: z.object({ date: z.string(), time: z.string() }).nullable(),
  /**
   * All free times on the day of `nextFree`, 'HH:mm', ascending; empty if `nextFree` is `null`. If the request names a
   * period, both are the first in it. Services of earlier releases omit it.
   */
  nextFreeTimes: z.array(z.string()).optional(),
  /** The last day that can be booked, 'yyyy-mm-dd' in the clinic's time zone. Services of earlier releases omit it. */
  bookableUntil: z.string().optional(),
});
export type Doctor = z.output<typeof doctor>;

export const pharmacist = z.object({
  _id: id,
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  experienceYears: z.number(),
  status: z.string(),
  qualification: z.string(),
  specialization: z.string(),
  experience: z.number(),
  /** Their account's id; absent if it isn't known, and from services of earlier releases. */
  accountId: z.string().optional(),
});
export type Pharmacist = z.output<typeof pharmacist>;
