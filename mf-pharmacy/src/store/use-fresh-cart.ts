import { useCall } from '@clinic/app-kit';
import { maxOrderLines } from '@clinic/svc-pharmacy/contract/limits';
import type { Medicine as WireMedicine } from '@clinic/svc-pharmacy/contract/schemas';
import { useEffect } from 'react';
import { useCart } from './cart-store.ts';
import { refreshCart } from './cart.ts';

/**
 * Keeps prices and stocks in the cart up to date: from the catalogue on screen, and for what isn't on screen with a request
 * of its own, which reloads along with the catalogue.
 *
 * @param shown - the medicines on screen
 */
export function useFreshCart(shown: readonly WireMedicine[]): void {
  const { cart, change } = useCart();
  const onScreen = new Set(shown.map(({ medicine }) => medicine.medicineId));
  const elsewhere = cart
    .map(({ medicineId }) => medicineId)
    .filter((id) => !onScreen.has(id))
    .slice(0, maxOrderLines)
    .join(',');
  const { data } = useCall('listMedicines', { query: { medicineIds: elsewhere } }, { enabled: elsewhere !== '' });
  useEffect(() => change((current) => refreshCart(current, shown)), [shown, change]);
  useEffect(() => {
    if (data) change((current) => refreshCart(current, data, elsewhere.split(',')));
  }, [data, elsewhere, change]);
}
