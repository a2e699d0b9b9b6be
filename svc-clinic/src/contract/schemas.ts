import { z } from 'zod';

export { doctor, pharmacist, type Doctor, type Pharmacist } from './profile-schemas.ts';
export { appointment, appointmentStatus, type Appointment } from './appointment-schema.ts';

/** A doctor's free times on one day. */
export const freeTimes = z.object({
  date: z.string(),
  /** Free times, 'HH:mm', ascending; empty with `anyTime` false if the day is full or past. */
  times: z.array(z.string()),
  /** Always false. In earlier releases doctors without hours could be booked at any time of day. */
  anyTime: z.boolean(),
  /** Where the doctor sees patients at these times, if not at the usual location; absent if all times are there. */
  places: z.array(z.object({ time: z.string(), place: z.string() })).optional(),
  /** IANA time zone of the clinic. */
  timeZone: z.string(),
});
export type FreeTimes = z.output<typeof freeTimes>;

/** Which days of a period still have free times. */
export const freeDays = z.object({
  days: z.array(
    z.object({
      date: z.string(),
      /** Number of free times. */
      free: z.number(),
    }),
  ),
  /** Always false, as that of free times. */
  anyTime: z.boolean(),
  /** IANA time zone of the clinic. */
  timeZone: z.string(),
});
export type FreeDays = z.output<typeof freeDays>;
export const saysSomething = (body: object): boolean => Object.values(body).some((value) => value !== undefined);
