import { openingTimes, type OpeningTimes } from '@clinic/contracts/opening-days';
import { flag, integer, keptDays, parsedBy, quietHours, type ContextFor, type Setting } from '@clinic/service-kit';

/** Fractions are for tests, which can't wait half an hour. */
const offerMinutes: Setting<number> = {
  expected: 'must be a number of minutes from 0.01 to 1440',
  example: '30',
  default: 30,
  schema: parsedBy((text) => {
    const minutes = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    return minutes >= 0.01 && minutes <= 1_440 ? minutes : undefined;
  }),
};

const openingHours: Setting<OpeningTimes> = {
  expected: 'must be two times of day, HH:mm-HH:mm, the second one later or 24:00',
  example: '08:00-20:00',
  default: openingTimes,
  schema: parsedBy((text) => {
    const { from, until } = /^(?<from>\d\d:\d\d)-(?<until>\d\d:\d\d)$/.exec(text)?.groups ?? {};
    const isTime = (time: string | undefined): time is string => /^([01]\d|2[0-3]):[0-5]\d$/.test(time ?? '');
    return isTime(from) && (isTime(until) || until === '24:00') && from < until ? { from, until } : undefined;
  }),
};

/** Settings of the clinic service, in addition to those of every service. */
export const clinicSettings = {
  /** Opening hours: what the public can book lies within them, except for emergency medicine. The website shows the default. */
  CLINIC_OPENING_HOURS: openingHours,
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
  /** Visits missed within a year after which a patient is asked to say that they will come to the next; 0: nobody is asked. */
  CLINIC_CONFIRM_AFTER_MISSED: integer({ min: 0, max: 1_000, default: 0 }),
  /** Minutes for which a free time is offered to one person on the waitlist; fewer shortly before it. */
  WAITLIST_OFFER_MINUTES: offerMinutes,
  /** Hours in which these minutes don't count, and svc-messages lets most messages wait. */
  QUIET_HOURS: quietHours,
  /** Maximum places on the waitlist per patient. */
  WAITLIST_MAX_ENTRIES: integer({ min: 1, max: 1_000, default: 5 }),
  /** Offers, declined, or not answered although the patient could see them, after which a place on the waitlist ends. */
  WAITLIST_OFFERS: integer({ min: 1, max: 100, default: 3 }),
  /** Days for which places and offers are kept once they have ended; 0: for ever. */
  WAITLIST_KEPT_DAYS: keptDays(365),
  /** Publishes free times for other programs (SMART Scheduling Links); needs PUBLIC_URL. */
  CLINIC_PUBLISH_SLOTS: flag({ default: false }),
  /** Days of free times to publish, today included. */
  CLINIC_PUBLISH_SLOTS_DAYS: integer({ min: 1, max: 90, default: 14 }),
};

export type ClinicContext = ContextFor<typeof clinicSettings>;
