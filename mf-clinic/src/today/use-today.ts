import { clinicMoment, useConfig } from '@clinic/app-kit';
import { useEffect, useState } from 'react';

/** Milliseconds between two looks at the clock. */
const lookEvery = 15_000;

/** Date and time of day in the clinic's time zone, wherever the browser is; changes with each minute. */
export function useToday(): { readonly date: string; readonly time: string } {
  const { clinicTimeZone } = useConfig();
  const [moment, setMoment] = useState(() => clinicMoment(new Date(), clinicTimeZone));
  useEffect(() => {
    const timer = setInterval(() => {
      setMoment((before) => {
        const now = clinicMoment(new Date(), clinicTimeZone);
        return now.time === before.time && now.date === before.date ? before : now;
      });
    }, lookEvery);
    return () => clearInterval(timer);
  }, [clinicTimeZone]);
  return moment;
}
