import { useCall } from '@clinic/app-kit';
import { useState } from 'react';

export interface FreeTimesState {
  /** 'HH:mm', ascending. */
  readonly times: readonly string[];
  /** The doctor lists no times: any can be asked for. */
  readonly anyTime: boolean;
  /** The day is known to have no free time. */
  readonly full: boolean;
  readonly loading: boolean;
  readonly error: string | undefined;
  readonly retry: () => void;
  /** Shows what a refused booking said is free, at once, until the day is loaded again. */
  readonly replace: (date: string, times: readonly string[]) => void;
}

/**
 * A doctor's free times of a day.
 *
 * @param date - 'yyyy-mm-dd' that can be booked; empty: none chosen yet
 * @param listsTimes - whether the doctor lists times at all; without, no day needs to be asked for
 */
export function useFreeTimes(doctorId: string, date: string, listsTimes: boolean): FreeTimesState {
  const wanted = listsTimes && date !== '';
  const answer = useCall('listFreeTimes', { params: { id: doctorId }, query: { date } }, { enabled: wanted, staleTime: 0 });
  const [told, setTold] = useState<{ readonly date: string; readonly times: readonly string[]; readonly at: number }>();
  const newer = told?.date === date && told.at > answer.dataUpdatedAt;
  const times = (newer ? told.times : answer.data?.times) ?? [];
  const known = newer || answer.data !== undefined;
  return {
    times: wanted ? times : [],
    anyTime: !listsTimes || answer.data?.anyTime === true,
    full: wanted && known && times.length === 0 && answer.data?.anyTime !== true,
    loading: wanted && answer.isPending,
    error: wanted && !known ? answer.error?.message : undefined,
    retry: () => void answer.refetch(),
    replace: (day, freeTimes) => setTold({ date: day, times: freeTimes, at: Date.now() }),
  };
}
