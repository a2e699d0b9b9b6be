import { useConfig } from '@clinic/app-kit';
import { useClinicNow } from '@clinic/app-kit/clinic-today';
import { useMemo } from 'react';
import type { VisitClock } from './steps.ts';

/** The clinic’s clock by the minute. */
export function useVisitClock(): VisitClock {
  const { clinicTimeZone: timeZone } = useConfig();
  const { date: today, time } = useClinicNow();
  return useMemo(
    () => ({ now: minuteNow(), today, timeZone }),
    // Each minute is another one, also in the hour that the clocks repeat.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [today, time, timeZone],
  );
}

const minuteNow = (): number => Math.floor(Date.now() / 60_000) * 60_000;
