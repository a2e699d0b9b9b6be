import { addDays, formatDate, formatTime } from '@clinic/app-kit';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';

type Hours = Pick<Doctor, 'isAvailable' | 'availableTimes' | 'nextFree'>;

/**
 * Whether a patient can get a time. A response from before midnight doesn't say: the next one is loading.
 *
 * @param today - 'yyyy-mm-dd' in the clinic's time zone
 */
export function hasFreeTime({ isAvailable, availableTimes, nextFree }: Hours, today: string): boolean {
  // Services of earlier releases let patients ask for any time of a doctor without listed times.
  return isAvailable && (nextFree ? nextFree.date >= today : availableTimes.length === 0);
}

/**
 * When a doctor is next free, in words.
 *
 * @param today - 'yyyy-mm-dd' in the clinic's time zone
 */
export function nextFreeText({ isAvailable, availableTimes, nextFree }: Hours, today: string): string {
  if (!isAvailable) return 'Not taking new appointments';
  if (nextFree && nextFree.date < today) return 'Looking for the next free time…';
  if (nextFree) return `Next free: ${dayName(nextFree.date, today)}, ${formatTime(nextFree.time)}`;
  return availableTimes.length > 0 ? 'Fully booked for the next few weeks' : 'Times by arrangement';
}

/** 'today', 'tomorrow', 'Thu, Dec 3'. @param today - 'yyyy-mm-dd' in the clinic's time zone */
export function dayName(date: string, today: string): string {
  if (date === today) return 'today';
  if (date === addDays(today, 1)) return 'tomorrow';
  return formatDate(date).replace(/, \d{4}$/, '');
}
