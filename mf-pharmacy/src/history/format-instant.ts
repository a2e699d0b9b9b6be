import { clinicMoment, formatShortDate, formatTime } from '@clinic/app-kit';

/**
 * 'Nov 21, 2026, 9:30 AM' by the clinic's clock.
 *
 * @param instant - ISO instant
 * @param timeZone - the clinic's, IANA name
 */
export function formatInstant(instant: string, timeZone: string): string {
  const { date, time } = clinicMoment(new Date(instant), timeZone);
  // Keeps the time on one line if the text wraps.
  return `${formatShortDate(date)}, ${formatTime(time).replace(/\s/, '\u00a0')}`;
}
