import { integer, timeZone, type ContextFor } from '@clinic/service-kit';

/** What the clinic service reads from the environment beside what every service does. */
export const clinicSettings = {
  /** The clinic's wall clock: what "today" and "past" mean. */
  CLINIC_TZ: timeZone({ default: 'Asia/Dhaka' }),
  /** Hours before an appointment until which its patient may cancel or move it. */
  CLINIC_CHANGE_CUTOFF_HOURS: integer({ min: 0, max: 720, default: 2 }),
  /** Days ahead that can be booked: today and so many more. */
  CLINIC_BOOKING_HORIZON_DAYS: integer({ min: 1, max: 3_650, default: 90 }),
  /** Appointments still to come that a person may have at once; admins book as many as they like. */
  CLINIC_MAX_OPEN_APPOINTMENTS: integer({ min: 1, max: 100_000, default: 10 }),
  /** The same for somebody who hasn't confirmed their e-mail address. */
  CLINIC_MAX_OPEN_APPOINTMENTS_UNCONFIRMED: integer({ min: 1, max: 100_000, default: 1 }),
  /** Bookings and moves that a person may make on one of the clinic's days; doctors with their own patients and admins make as many as they like. */
  CLINIC_MAX_CHANGES_PER_DAY: integer({ min: 1, max: 1_000_000, default: 30 }),
};

export type ClinicContext = ContextFor<typeof clinicSettings>;
