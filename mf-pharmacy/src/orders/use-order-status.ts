import { useQueryClient } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import type { OrderStatus } from '@clinic/svc-pharmacy/contract/transitions';
import { orderNumber } from './order-format.ts';

/** Changes orders' status; the list then shows the server's result, even if somebody else was faster. */
export function useOrderStatus() {
  const client = useQueryClient();
  const change = useChange('changeOrderStatus', {
    invalidates: ['listOrders', 'listMedicines'],
    success: (order) => `Order ${orderNumber(order)} is now ${order.status}.`,
    onError: () => void client.invalidateQueries({ queryKey: ['listOrders'] }),
  });
  const input = (order: Order, newStatus: OrderStatus) => ({
    params: { id: order._id },
    body: { newStatus, seen: { status: order.status } },
  });
  return {
    busy: change.isPending,
    /** @returns settles with the server's response, for controls that show the change meanwhile */
    move: (order: Order, newStatus: OrderStatus) => change.mutateAsync(input(order, newStatus)),
    start: (order: Order, newStatus: OrderStatus) => change.mutate(input(order, newStatus)),
  };
}
