import { clinicInstant, clinicMoment, type ClinicMoment } from '@clinic/contracts';

/** The present as the clinic sees it. */
export interface ClinicClock {
  readonly now: Date;
  /** IANA time zone of the clinic. */
  readonly timeZone: string;
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  readonly today: string;
}

/** The clinic's clock at an instant. @param timeZone - IANA name */
export function clinicClock(timeZone: string, now = new Date()): ClinicClock {
  return { now, timeZone, today: clinicMoment(now, timeZone).date };
}

/** Whether a moment on the clinic's clock lies behind; the minute that is running doesn't. */
export function isPast(moment: ClinicMoment, { now, timeZone, today }: ClinicClock): boolean {
  if (moment.date !== today) return moment.date < today;
  return clinicInstant(moment, timeZone).getTime() < Math.floor(now.getTime() / 60_000) * 60_000;
}
