import { awakeMs, quietUntil, type QuietHours } from '@clinic/contracts/quiet-hours';
import type { MessagesContext } from '../settings.ts';

/** Quiet hours in a time zone, IANA name. */
export interface LocalQuietHours extends QuietHours {
  readonly timeZone: string;
}

/**
 * Whether somebody to whom an offer is sent now has half of its time to see it, apart from their quiet hours. Its time is
 * what svc-clinic counts: that outside the clinic's quiet hours, unless the offer is so urgent that it ends in them.
 *
 * @param offer - when it was made, and when it ends
 * @param own - the patient's
 */
export function hasTimeToSee(
  now: Date,
  { madeAt, until }: { readonly madeAt: Date; readonly until: Date },
  own: LocalQuietHours,
  { QUIET_HOURS, CLINIC_TZ }: Pick<MessagesContext['settings'], 'QUIET_HOURS' | 'CLINIC_TZ'>,
): boolean {
  const isUrgent = quietUntil(until, QUIET_HOURS, CLINIC_TZ) !== undefined;
  const time = isUrgent ? until.getTime() - madeAt.getTime() : awakeMs(madeAt, until, QUIET_HOURS, CLINIC_TZ);
  return awakeMs(now > madeAt ? now : madeAt, until, own, own.timeZone) >= time / 2;
}
