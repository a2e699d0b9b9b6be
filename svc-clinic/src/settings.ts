import { integer, timeZone, type ContextFor } from '@clinic/service-kit';

/** Settings of the clinic service, in addition to those of every service. */
export const clinicSettings = {
  /** The clinic's time zone: decides what "today" and "past" mean. */
  CLINIC_TZ: timeZone({ default: 'Asia/Dhaka' }),
  /** Patients may cancel or move an appointment until this many hours before it. */
  CLINIC_CHANGE_CUTOFF_HOURS: integer({ min: 0, max: 720, default: 2 }),
  /** Booking horizon: today and this many days ahead. */
  CLINIC_BOOKING_HORIZON_DAYS: integer({ min: 1, max: 3_650, default: 90 }),
  /** Maximum number of upcoming appointments per patient; admins may book more. */
  CLINIC_MAX_OPEN_APPOINTMENTS: integer({ min: 1, max: 100_000, default: 10 }),
  /** The same limit for patients who haven't confirmed their email address. */
  CLINIC_MAX_OPEN_APPOINTMENTS_UNCONFIRMED: integer({ min: 1, max: 100_000, default: 1 }),
  /**
   * Maximum bookings and moves per patient and day, in the clinic's time zone; no limit for admins, nor for doctors with their
   * own patients.
   */
  CLINIC_MAX_CHANGES_PER_DAY: integer({ min: 1, max: 1_000_000, default: 30 }),
};

export type ClinicContext = ContextFor<typeof clinicSettings>;
