import type { Order } from '@clinic/contracts';
import type { Column } from '@clinic/ui';
import { formatInstant } from '../history/format-instant.ts';
import { orderNumber, orderTotal } from './order-format.ts';
import { OrderItems } from './order-items.tsx';

/**
 * What every list of orders shows of an order.
 *
 * @param timeZone - the clinic's
 */
export function orderColumns(timeZone: string): Column<Order>[] {
  return [
    {
      key: 'order', header: 'Order', primary: true,
      cell: (order) => (
        <>
          <span className="block tabular-nums">{orderNumber(order)}</span>
          <span className="block text-sm font-normal text-muted">{formatInstant(order.orderDate, timeZone)}</span>
        </>
      ),
    },
    { key: 'items', header: 'Items', cell: ({ items }) => <OrderItems items={items} /> },
    { key: 'total', header: 'Total', align: 'end', cell: orderTotal },
    { key: 'address', header: 'Address', cell: ({ deliveryAddress }) => <span className="inline-block max-w-56 wrap-anywhere">{deliveryAddress}</span> },
    { key: 'phone', header: 'Phone', cell: ({ customerPhone }) => <a className="link whitespace-nowrap" href={`tel:${customerPhone.replace(/[^\d+]/g, '')}`}>{customerPhone}</a> },
  ];
}
