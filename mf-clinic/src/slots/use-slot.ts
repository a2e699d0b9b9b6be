import { useClinicToday } from '@clinic/app-kit/clinic-today';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { useEffect } from 'react';
import { dateProblem } from './date-problem.ts';
import { useFreeTimes, type FreeTimesState } from './use-free-times.ts';

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
  const lost = time !== '' && !free.anyTime && !free.loading && !free.times.includes(time);
  useEffect(() => {
    if (lost) dropTime();
  }, [lost, dropTime]);
  return { today, bookable, free };
}
