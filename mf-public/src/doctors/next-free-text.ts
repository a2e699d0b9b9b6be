import { addDays, formatDate, formatTime } from '@clinic/app-kit';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';

/**
 * When a doctor is next free, in words.
 *
 * @param today - 'yyyy-mm-dd' in the clinic's time zone
 */
export function nextFreeText(
  { isAvailable, availableTimes, nextFree }: Pick<Doctor, 'isAvailable' | 'availableTimes' | 'nextFree'>,
  today: string,
): string {
  if (!isAvailable) return 'Not taking new appointments';
  // The response is from before midnight; the next one is loading.
  if (nextFree && nextFree.date < today) return 'Looking for the next free time…';
  if (nextFree) return `Next free: ${dayName(nextFree.date, today)}, ${formatTime(nextFree.time)}`;
  return availableTimes.length > 0 ? 'Fully booked for the next few weeks' : 'No hours yet';
}

/** 'today', 'tomorrow', 'Thu, Dec 3'. @param today - 'yyyy-mm-dd' in the clinic's time zone */
export function dayName(date: string, today: string): string {
  if (date === today) return 'today';
  if (date === addDays(today, 1)) return 'tomorrow';
  return formatDate(date).replace(/, \d{4}$/, '');
}
