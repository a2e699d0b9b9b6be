import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { EmailLink } from '@clinic/ui';
import type { Column } from '@clinic/ui/tables';
import type { ReactNode } from 'react';
import { formatInstant } from '../history/format-instant.ts';
import { orderNumber, orderTotal } from './order-format.ts';
import { OrderItems } from './order-items.tsx';
import { OrderNotes } from './order-notes.tsx';
import { PhoneLink } from './phone-link.tsx';

export interface OrderColumnsOptions {
  /** The clinic's, IANA name. */
  readonly timeZone: string;
  /** Shows the customer; not needed in a customer's own list. */
  readonly withCustomer?: boolean;
  /** Shows or changes the status. */
  readonly status: (order: Order) => ReactNode;
}

/** Columns of every table of orders; on narrow screens it is a card (`order-card.tsx`). */
export function orderColumns({ timeZone, withCustomer = false, status }: OrderColumnsOptions): Column<Order>[] {
  return [
    {
      key: 'order',
      header: 'Order',
      primary: true,
      cell: (order) => (
        <>
          <span className="block tabular-nums">{orderNumber(order)}</span>
          <span className="block min-w-24 text-sm xl:min-w-38 font-normal text-muted">
            {formatInstant(order.orderDate, timeZone)}
          </span>
          <OrderNotes order={order} timeZone={timeZone} forStaff={withCustomer} />
        </>
      ),
    },
    { key: 'items', header: 'Items', cell: ({ items }) => <OrderItems items={items} /> },
    { key: 'total', header: 'Total', align: 'end', foldInto: 'items', foldLabel: 'Total', cell: orderTotal },
    { key: 'status', header: 'Status', cell: status },
    {
      key: 'delivery',
      foldInto: 'order',
      header: withCustomer ? 'Recipient' : 'Delivery',
      cell: ({ deliveryAddress, customerPhone, customeremail, recipientName }) => (
        <span className="inline-block max-w-60 min-w-36 wrap-break-word">
          {recipientName && <span className="block font-medium">{recipientName}</span>}
          {withCustomer && (
            <span className="block">
              <EmailLink className={recipientName ? undefined : 'font-medium'} email={customeremail} />
            </span>
          )}
          <span className="line-clamp-2" title={deliveryAddress}>
            {deliveryAddress}
          </span>
          <PhoneLink phone={customerPhone} />
        </span>
      ),
    },
  ];
}
