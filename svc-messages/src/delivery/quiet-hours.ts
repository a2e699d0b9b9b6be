import { addDays, clinicInstant, clinicMoment } from '@clinic/contracts';
import type { QuietHours } from '../settings.ts';

/**
 * When quiet hours end; `undefined` if there are none at this instant.
 *
 * @param timeZone - of `from` and `until`, IANA name
 */
export function quietUntil(now: Date, { from, until }: QuietHours, timeZone: string): Date | undefined {
  const { date, time } = clinicMoment(now, timeZone);
  const overnight = from > until;
  const isQuiet = overnight ? time >= from || time < until : time >= from && time < until;
  if (!isQuiet) return undefined;
  const end = clinicInstant({ date: overnight && time >= from ? addDays(date, 1) : date, time: until }, timeZone);
  // They aren't repeated with the hour of the clock in which they ended.
  return end > now ? end : undefined;
}
