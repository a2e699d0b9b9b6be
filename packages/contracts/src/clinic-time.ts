/**
 * The clinic's wall clock. Appointments are kept as the clinic's local date ('yyyy-mm-dd') and time of day ('HH:mm'),
 * because that is what both sides agreed on, whatever happens to time zone rules later.
 */

/** A local date and time of day in the clinic's time zone. */
export interface ClinicMoment {
  /** 'yyyy-mm-dd' */
  readonly date: string;
  /** 'HH:mm', 00:00 to 23:59 */
  readonly time: string;
}

/**
 * @param instant - the moment to show
 * @param timeZone - IANA name, e.g. `Asia/Dhaka`
 * @throws RangeError when the time zone is unknown
 */
export function clinicMoment(instant: Date, timeZone: string): ClinicMoment {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23',
  }).formatToParts(instant);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((p) => p.type === type)?.value ?? '';
  return { date: `${part('year')}-${part('month')}-${part('day')}`, time: `${part('hour')}:${part('minute')}` };
}

/** Adds whole days to a 'yyyy-mm-dd' date; calendar arithmetic, no time zone involved. */
export function addDays(date: string, days: number): string {
  const instant = new Date(`${date}T00:00:00Z`);
  instant.setUTCDate(instant.getUTCDate() + days);
  return instant.toISOString().slice(0, 10);
}

/** Whether a local moment lies before another. */
export function isBefore(a: ClinicMoment, b: ClinicMoment): boolean {
  return `${a.date}T${a.time}` < `${b.date}T${b.time}`;
}

const longDate = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });
const shortDate = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });
const timeOfDay = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });

/** 'Tue, Dec 1, 2026' for a local date, independent of the browser's time zone. */
export function formatDate(date: string): string {
  return longDate.format(new Date(`${date}T00:00:00Z`));
}

/** 'Dec 1, 2026': short month, day, year, as the inventory writes an expiry (specification section 2). */
export function formatShortDate(date: string): string {
  return shortDate.format(new Date(`${date}T00:00:00Z`));
}

/** '9:30 AM' for 'HH:mm'. */
export function formatTime(time: string): string {
  return timeOfDay.format(new Date(`2000-01-01T${time}:00Z`));
}
