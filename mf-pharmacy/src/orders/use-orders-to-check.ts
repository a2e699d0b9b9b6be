import { useCall } from '@clinic/app-kit';
import type { Order } from '@clinic/contracts';

/** Most orders that stand before the others. */
const atMost = 10;

/**
 * The pending orders that staff should look at before they pack anything: they stand before the others, however old they are.
 *
 * @param wanted - whether the list begins with them; a narrowed list and its later pages don't
 */
export function useOrdersToCheck(wanted: boolean): readonly Order[] {
  const { data = [] } = useCall('listOrders', { query: { unusual: 'true', status: 'pending', limit: atMost } }, { enabled: wanted });
  // A service of an earlier release doesn't know the question and answers with any pending orders.
  return wanted ? data.filter(({ unusual }) => unusual) : [];
}
