import { formatDate, useCall } from '@clinic/app-kit';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { useEffect, useState } from 'react';

export interface SlotState {
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  readonly today: string;
  /** The chosen day if it can be booked, otherwise empty. */
  readonly bookable: string;
  readonly free: FreeTimesState;
}

/**
 * The choices on a day. A time that is no longer possible, because of another day or another patient, is dropped.
 *
 * @param doctor - the doctor to book
 * @param dropTime - clears the chosen time
 */
export function useSlot(
  doctor: Pick<Doctor, '_id' | 'availableTimes' | 'bookableUntil'>,
  date: string,
  time: string,
  dropTime: () => void,
): SlotState {
  const today = useClinicToday();
  const bookable = dateProblem(date, today, doctor.bookableUntil) === undefined ? date : '';
  const free = useFreeTimes(doctor._id, bookable);
  // While the day's times aren't known the choice stays.
  const lost = time !== '' && !free.anyTime && !free.loading && !free.error && !free.times.includes(time);
  useEffect(() => {
    if (lost) dropTime();
  }, [lost, dropTime]);
  return { today, bookable, free };
}

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
function useFreeTimes(doctorId: string, date: string): FreeTimesState {
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
