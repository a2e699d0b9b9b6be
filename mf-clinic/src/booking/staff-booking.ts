import { useLocation } from '@clinic/app-kit';
import { useEffect } from 'react';

/** Where staff go after a booking unless they came from elsewhere. */
let start = '/dash/appoinments';

/**
 * Makes this page, with its day, doctor and filters, the one to which a booking for a patient returns. It is remembered for the
 * life of the tab's page, because the directory may be on the way.
 */
export function useStartOfBookings(): void {
  const { pathname, search } = useLocation();
  useEffect(() => {
    start = pathname + search;
  }, [pathname, search]);
}

/** The page from which staff went to book, with its search. */
export const startOfBookings = (): string => start;
