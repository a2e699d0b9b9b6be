import { timeZone, type ContextFor } from '@clinic/service-kit';

/** What the clinic service reads from the environment beside what every service does. */
export const clinicSettings = {
  /** The clinic's wall clock: what "today" and "past" mean. */
  CLINIC_TZ: timeZone({ default: 'Asia/Dhaka' }),
};

export type ClinicContext = ContextFor<typeof clinicSettings>;
