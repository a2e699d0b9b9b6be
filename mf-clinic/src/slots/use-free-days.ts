import { useCall } from '@clinic/app-kit';
import { monthOf } from './local-dates.ts';

/**
 * A doctor's free times for each day of a month, as numbers.
 *
 * @param month - any day of it, 'yyyy-mm-dd'
 * @param today - earlier days aren't requested
 * @param listsTimes - whether the doctor lists times; if not, nothing is loaded
 * @returns by day; unknown days are missing
 */
export function useFreeDays(
  doctorId: string,
  month: string,
  today: string,
  listsTimes: boolean,
): ReadonlyMap<string, number> {
  const { first, last } = monthOf(month);
  const from = first < today ? today : first;
  const answer = useCall(
    'listFreeDays',
    { params: { id: doctorId }, query: { from, until: last } },
    { enabled: listsTimes && from <= last, staleTime: 0 },
  );
  return new Map(answer.data?.days.map(({ date, free }) => [date, free]));
}
