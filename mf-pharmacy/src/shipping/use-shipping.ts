import { api, notify, useQueryClient, type ApiProblem } from '@clinic/app-kit';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { useState } from 'react';

/** An order that wasn't shipped, or of which nobody knows, and why. */
export interface NotShipped {
  readonly order: Order;
  readonly problem: ApiProblem;
}

/**
 * Ships several orders one after the other: each is its own change, and a failed one doesn't stop the others.
 *
 * @param onDone - told what wasn't shipped, once the lists are loaded again
 */
export function useShipping(onDone: (notShipped: readonly NotShipped[]) => void) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<readonly NotShipped[]>([]);

  async function ship(orders: readonly Order[]): Promise<void> {
    if (busy) return;
    setBusy(true);
    const notShipped: NotShipped[] = [];
    for (const order of orders) {
      try {
        await api.call('changeOrderStatus', {
          params: { id: order._id },
          body: { newStatus: 'Shipped', seen: { status: order.status } },
        });
      } catch (error) {
        console.warn('An order could not be shipped', error);
        notShipped.push({ order, problem: error as ApiProblem });
      }
    }
    const shipped = orders.length - notShipped.length;
    if (shipped > 0) notify.success(`${shipped} ${shipped === 1 ? 'order is' : 'orders are'} on the way`);
    await Promise.all(['listOrders', 'listMedicines'].map((list) => client.invalidateQueries({ queryKey: [list] })));
    setBusy(false);
    setFailed(notShipped);
    onDone(notShipped);
  }

  return { ship, busy, failed };
}
