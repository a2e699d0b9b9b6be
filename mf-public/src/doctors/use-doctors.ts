import { useCall } from '@clinic/app-kit';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { useEffect, useState } from 'react';

interface Doctors {
  /** Absent until loaded. */
  readonly doctors: readonly Doctor[] | undefined;
  readonly failed: boolean;
  readonly retry: () => void;
}

/** @param limit - at most this many from the start of the list; default: all */
export function useDoctors(limit?: number): Doctors {
  const { data, isError, refetch } = useCall('listDoctors', { query: limit === undefined ? {} : { limit } });
  // Yesterday's next free times are no use to anyone.
  const today = useClinicToday();
  const [shownSince] = useState(today);
  useEffect(() => {
    if (today !== shownSince) void refetch();
  }, [today, shownSince, refetch]);
  // The call returns a single doctor if called with an id, which doesn't happen here.
  const doctors = data === undefined || Array.isArray(data) ? data : [data];
  return { doctors, failed: isError && doctors === undefined, retry: () => void refetch() };
}
