import type { Order } from '@clinic/contracts';
import type { Column } from '@clinic/ui';
import { formatInstant } from '../history/format-instant.ts';
import { orderNumber, orderTotal } from './order-format.ts';
import { OrderItems } from './order-items.tsx';

export interface OrderColumnsOptions {
  /** The clinic's, IANA name. */
  readonly timeZone: string;
  /** Whose order it is; customers know. */
  readonly withCustomer?: boolean;
}

/** What every list of orders shows of an order. */
export function orderColumns({ timeZone, withCustomer = false }: OrderColumnsOptions): Column<Order>[] {
  return [
    {
      key: 'order', header: 'Order', primary: true,
      cell: (order) => (
        <>
          <span className="block tabular-nums">{orderNumber(order)}</span>
          <span className="block text-sm font-normal whitespace-nowrap text-muted">{formatInstant(order.orderDate, timeZone)}</span>
        </>
      ),
    },
    { key: 'items', header: 'Items', cell: ({ items }) => <OrderItems items={items} /> },
    { key: 'total', header: 'Total', align: 'end', cell: orderTotal },
    {
      key: 'delivery', header: withCustomer ? 'Customer' : 'Address and phone',
      cell: ({ deliveryAddress, customerPhone, customeremail }) => (
        <span className="inline-block min-w-40 wrap-anywhere">
          {withCustomer && <a className="block font-medium hover:underline" href={`mailto:${customeremail}`}>{customeremail}</a>}
          <span className="block">{deliveryAddress}</span>
          <a className="block underline-offset-4 hover:underline" href={`tel:${customerPhone.replace(/[^\d+]/g, '')}`}>{customerPhone}</a>
        </span>
      ),
    },
  ];
}
