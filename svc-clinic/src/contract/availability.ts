import type { Doctor } from './profile-schemas.ts';

/** What a badge says about a doctor. */
export type Availability = 'Available' | 'Fully booked' | 'Not available';

/**
 * Whether a patient can get a time: a doctor who takes appointments but has none left isn't available.
 *
 * @param doctor - without listed times (services of earlier releases) any time can be requested
 */
export function availabilityOf({
  isAvailable,
  availableTimes,
  nextFree,
}: Pick<Doctor, 'isAvailable' | 'availableTimes' | 'nextFree'>): Availability {
  if (!isAvailable) return 'Not available';
  return nextFree || availableTimes.length === 0 ? 'Available' : 'Fully booked';
}
