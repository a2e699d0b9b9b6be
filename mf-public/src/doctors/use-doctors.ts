import { useCall } from '@clinic/app-kit';
import type { Doctor } from '@clinic/contracts';

interface Doctors {
  /** Absent until loaded. */
  readonly doctors: readonly Doctor[] | undefined;
  readonly failed: boolean;
  readonly retry: () => void;
}

/** @param limit - at most so many, from the list's start; all if left out */
export function useDoctors(limit?: number): Doctors {
  const { data, isError, refetch } = useCall('listDoctors', { query: limit === undefined ? {} : { limit } });
  // The call answers one doctor when asked by id, which nobody here does.
  const doctors = data === undefined || Array.isArray(data) ? data : [data];
  return { doctors, failed: isError && doctors === undefined, retry: () => void refetch() };
}
