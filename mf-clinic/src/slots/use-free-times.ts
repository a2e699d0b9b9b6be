import { useCall } from '@clinic/app-kit';
import { useState } from 'react';

export interface FreeTimesState {
  /** 'HH:mm', ascending. */
  readonly times: readonly string[];
  /** Where the doctor is at a time, if not at the usual location. */
  readonly placeAt: (time: string) => string | undefined;
  /** The doctor lists no times: any can be requested. */
  readonly anyTime: boolean;
  /** The day has no free time. */
  readonly full: boolean;
  readonly loading: boolean;
  readonly error: string | undefined;
  readonly retry: () => void;
  /** Shows the free times from a rejected booking until the day is loaded again. */
  readonly replace: (date: string, times: readonly string[]) => void;
}

/**
 * A doctor's free times on a day.
 *
 * @param date - a bookable day, 'yyyy-mm-dd'; empty if none is chosen yet
 */
export function useFreeTimes(doctorId: string, date: string): FreeTimesState {
  const enabled = date !== '';
  const answer = useCall('listFreeTimes', { params: { id: doctorId }, query: { date } }, { enabled, staleTime: 0 });
  const [rejected, setRejected] = useState<{
    readonly date: string;
    readonly times: readonly string[];
    readonly at: number;
  }>();
  const newer = rejected?.date === date && rejected.at > answer.dataUpdatedAt;
  const times = (newer ? rejected.times : answer.data?.times) ?? [];
  const known = newer || answer.data !== undefined;
  return {
    times: enabled ? times : [],
    placeAt: (time) => answer.data?.places?.find((one) => one.time === time)?.place,
    // Only of services of earlier releases.
    anyTime: answer.data?.anyTime === true,
    full: enabled && known && times.length === 0 && answer.data?.anyTime !== true,
    loading: enabled && answer.isPending,
    error: enabled && !known ? answer.error?.message : undefined,
    retry: () => void answer.refetch(),
    replace: (day, freeTimes) => setRejected({ date: day, times: freeTimes, at: Date.now() }),
  };
}
