import { Slot } from '@clinic/app-kit/slots';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { HistoryButton } from '../history/history-button.tsx';
import { orderNumber } from './order-format.ts';

/**
 * The buttons for an order's history, and what other domains add to an order.
 *
 * @param own - for the customer, not for staff
 */
export function orderHistory(order: Order, own: boolean) {
  const { _id: id, status } = order;
  const name = `order ${orderNumber(order)}`;
  return (
    <>
      <HistoryButton of={name} call="getOrderHistory" id={id} />
      <Slot name="order" props={{ id, status, own, name }} />
    </>
  );
}
