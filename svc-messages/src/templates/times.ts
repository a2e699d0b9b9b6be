import { clinicInstant, clinicMoment, formatDate, formatTime, type ClinicMoment } from '@clinic/contracts/clinic-time';

const shortDay = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

/** 'Tue, Dec 1 at 10:00 AM', short enough for a subject. */
export function shortMoment({ date, time }: ClinicMoment): string {
  return `${shortDay.format(new Date(`${date}T00:00:00Z`))} at ${formatTime(time)}`;
}

/** 'Tue, Dec 1, 2026 at 10:00 AM' */
export function longMoment({ date, time }: ClinicMoment): string {
  return `${formatDate(date)} at ${formatTime(time)}`;
}

/**
 * A moment of the clinic on the reader's clock; `undefined` if both show the same.
 *
 * @param clinicZone - IANA name, or an offset
 * @param readerZone - IANA name; absent if it isn't known
 */
export function readersMoment(moment: ClinicMoment, clinicZone: string, readerZone?: string): ClinicMoment | undefined {
  if (readerZone === undefined) return undefined;
  const theirs = clinicMoment(clinicInstant(moment, clinicZone), readerZone);
  return theirs.date === moment.date && theirs.time === moment.time ? undefined : theirs;
}

/** An ISO instant on the clinic's clock. */
export function momentOf(instant: string, zone: string): ClinicMoment {
  return clinicMoment(new Date(instant), zone);
}
