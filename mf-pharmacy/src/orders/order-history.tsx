import type { Order } from '@clinic/contracts';
import { HistoryButton } from '../history/history-button.tsx';
import { orderNumber } from './order-format.ts';

/** The cell with the button for an order's history. */
export function orderHistory(order: Order) {
  return <HistoryButton of={`order ${orderNumber(order)}`} call="getOrderHistory" id={order._id} />;
}
