import { useClinicToday } from '@clinic/app-kit/clinic-today';
import { useEffect } from 'react';
import { useFreeTimes, type FreeTimesState } from './use-free-times.ts';

export interface SlotState {
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  readonly today: string;
  /** The chosen day when it can be booked, else empty. */
  readonly bookable: string;
  readonly free: FreeTimesState;
}

/**
 * What can be chosen on a day. A time that another day, or another patient, has made impossible is no choice any more.
 *
 * @param doctor - whose slots; `listsTimes`: whether the doctor lists times at all
 * @param dropTime - takes the chosen time back
 */
export function useSlot(doctor: { readonly id: string; readonly listsTimes: boolean }, date: string, time: string, dropTime: () => void): SlotState {
  const today = useClinicToday();
  const bookable = date >= today ? date : '';
  const free = useFreeTimes(doctor.id, bookable, doctor.listsTimes);
  const lost = time !== '' && !free.anyTime && !free.loading && !free.times.includes(time);
  useEffect(() => {
    if (lost) dropTime();
  }, [lost, dropTime]);
  return { today, bookable, free };
}
