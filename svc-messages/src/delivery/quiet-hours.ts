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

/** Moments that stand for the time of an offer. */
const moments = 60;

/**
 * Whether somebody to whom an offer is sent now has half of its time to see it, apart from their quiet hours.
 *
 * @param offer - when it was made, and when it ends
 * @param timeZone - of the quiet hours, IANA name
 */
export function hasTimeToSee(
  now: Date,
  { madeAt, until }: { readonly madeAt: Date; readonly until: Date },
  quiet: QuietHours,
  timeZone: string,
): boolean {
  const step = (until.getTime() - madeAt.getTime()) / moments;
  const awake = Array.from({ length: moments }, (_, at) => new Date(madeAt.getTime() + (at + 0.5) * step)).filter(
    (moment) => moment >= now && quietUntil(moment, quiet, timeZone) === undefined,
  );
  return awake.length >= moments / 2;
}
