import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { EmailLink } from '@clinic/ui';
import { Details } from '@clinic/ui/tables';
import type { ReactNode } from 'react';
import { formatInstant } from '../history/format-instant.ts';
import { orderNumber, orderTotal } from './order-format.ts';
import { OrderItems } from './order-items.tsx';
import { OrderNotes } from './order-notes.tsx';
import { PhoneLink } from './phone-link.tsx';

export interface OrderCardProps {
  readonly order: Order;
  /** The clinic's, IANA name. */
  readonly timeZone: string;
  /** Shows the customer; not needed in a customer's own list. */
  readonly withCustomer?: boolean;
  /** Shows or changes the status. */
  readonly status: ReactNode;
  readonly actions: ReactNode;
}

/** An order on narrow screens. */
export function OrderCard({ order, timeZone, withCustomer = false, status, actions }: OrderCardProps) {
  const { items, deliveryAddress, customerPhone, customeremail, recipientName } = order;
  return (
    <article className="flex flex-col gap-4">
      <header>
        <h2 className="text-heading font-semibold tabular-nums">{orderNumber(order)}</h2>
        <p className="text-sm text-muted">{formatInstant(order.orderDate, timeZone)}</p>
        <OrderNotes order={order} timeZone={timeZone} forStaff={withCustomer} />
      </header>
      <OrderItems items={items} />
      <Details
        items={[
          ['Total', orderTotal(order)],
          ...(recipientName ? [['Recipient', recipientName] as const] : []),
          ...(withCustomer
            ? [['Customer', <EmailLink key="email" className="font-medium" email={customeremail} />] as const]
            : []),
          ['Address', deliveryAddress],
          ['Phone', <PhoneLink key="phone" phone={customerPhone} />],
          ['Status', status],
        ]}
      />
      <div className="flex flex-wrap gap-2">{actions}</div>
    </article>
  );
}
