import { useQueryClient } from '@clinic/app-kit';
import { useEffect } from 'react';

/** Milliseconds between two looks at the shelves. */
const lookEvery = 5_000;

/** Shows a change of stock or price within seconds. Visitors have no session to listen with, so the page asks while it is seen. */
export function useFreshShelves(): void {
  const client = useQueryClient();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void client.invalidateQueries({ queryKey: ['listMedicines'] });
    }, lookEvery);
    return () => clearInterval(timer);
  }, [client]);
}
