import { useCall } from '@clinic/app-kit';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import type { Doctor } from '@clinic/contracts';
import { useEffect, useState } from 'react';

interface Doctors {
  /** Absent until loaded. */
  readonly doctors: readonly Doctor[] | undefined;
  readonly failed: boolean;
  readonly retry: () => void;
}

/** @param limit - at most so many, from the list's start; all if left out */
export function useDoctors(limit?: number): Doctors {
  const { data, isError, refetch } = useCall('listDoctors', { query: limit === undefined ? {} : { limit } });
  // Next free times of yesterday are of no use to anyone who looks at the page today.
  const today = useClinicToday();
  const [shownSince] = useState(today);
  useEffect(() => {
    if (today !== shownSince) void refetch();
  }, [today, shownSince, refetch]);
  // The call answers one doctor when asked by id, which nobody here does.
  const doctors = data === undefined || Array.isArray(data) ? data : [data];
  return { doctors, failed: isError && doctors === undefined, retry: () => void refetch() };
}
