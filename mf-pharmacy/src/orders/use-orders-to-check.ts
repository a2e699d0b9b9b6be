import { useCall } from '@clinic/app-kit';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';

/** Most orders listed before the others. */
const atMost = 10;

/**
 * Pending orders that staff should check before packing: listed first, however old they are.
 *
 * @param enabled - whether the list starts with them; filtered lists and later pages don't
 */
export function useOrdersToCheck(enabled: boolean): readonly Order[] {
  const { data = [] } = useCall(
    'listOrders',
    { query: { unusual: 'true', status: 'pending', limit: atMost } },
    { enabled },
  );
  // A service of an earlier release ignores the filter and returns any pending orders.
  return enabled ? data.filter(({ unusual }) => unusual) : [];
}
