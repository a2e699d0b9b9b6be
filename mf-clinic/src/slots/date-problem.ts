import { formatDate } from '@clinic/app-kit';

/**
 * Why a day can't be booked, in the service's words.
 *
 * @param date - 'yyyy-mm-dd' in the clinic's time zone; empty if none is chosen
 * @param until - the last bookable day; absent with a service of an earlier release
 */
export function dateProblem(date: string, today: string, until: string | undefined): string | undefined {
  if (date === '') return 'Date is required';
  if (date < today) return 'Date is in the past';
  return until !== undefined && date > until ? `You can book until ${formatDate(until)}` : undefined;
}
