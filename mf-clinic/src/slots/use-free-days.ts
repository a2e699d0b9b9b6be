import { useCall } from '@clinic/app-kit';
import { monthOf } from './calendar-days.ts';

/**
 * How many free times a doctor has on each day of a month.
 *
 * @param month - any day of it, 'yyyy-mm-dd'
 * @param today - days before it aren't asked for
 * @param listsTimes - whether the doctor lists times at all; without, every day is as good as the other
 * @returns by day; days that aren't known (yet) are left out
 */
export function useFreeDays(doctorId: string, month: string, today: string, listsTimes: boolean): ReadonlyMap<string, number> {
  const { first, last } = monthOf(month);
  const from = first < today ? today : first;
  const answer = useCall('listFreeDays', { params: { id: doctorId }, query: { from, until: last } }, { enabled: listsTimes && from <= last, staleTime: 0 });
  return new Map(answer.data?.days.map(({ date, free }) => [date, free]));
}
