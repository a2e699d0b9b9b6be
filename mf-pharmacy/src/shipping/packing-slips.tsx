import { orderTotalMinor } from '@clinic/app-kit';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { brand } from '@clinic/ui';
import { useEffect, useEffectEvent } from 'react';
import { formatInstant } from '../history/format-instant.ts';
import { unitName } from '../medicines/units.ts';
import { cashInWords, orderNumber } from '../orders/order-format.ts';

export interface PackingSlipsProps {
  readonly orders: readonly Order[];
  /** The clinic's, IANA name. */
  readonly timeZone: string;
  readonly onPrinted: () => void;
}

/**
 * Prints one page for each order: what goes into the parcel, who gets it and where, and what to collect. Without the prices of
 * medicines, because others may open it.
 */
export function PackingSlips({ orders, timeZone, onPrinted }: PackingSlipsProps) {
  const printed = useEffectEvent(onPrinted);
  useEffect(() => {
    const done = (): void => printed();
    // Phones' browsers return from print() before they have read the page.
    addEventListener('afterprint', done);
    print();
    return () => removeEventListener('afterprint', done);
  }, []);
  return (
    <div data-print="" className="hidden print:block">
      {orders.map((order) => (
        <section key={order._id} className="break-after-page pb-8 last:break-after-auto">
          <header className="mb-6 flex justify-between gap-8 border-b border-line pb-4">
            <div>
              <p className="text-heading font-bold">{brand.brandName}</p>
              <p>{brand.address}</p>
              <p>{brand.phone}</p>
            </div>
            <div className="text-end">
              <h2 className="text-heading font-bold">Packing slip {orderNumber(order)}</h2>
              <p>Ordered {formatInstant(order.orderDate, timeZone)}</p>
            </div>
          </header>
          <address className="mb-6 not-italic">
            <p className="font-semibold">{order.collected ? 'For' : 'Deliver to'}</p>
            {order.recipientName && <p className="text-heading font-bold">{order.recipientName}</p>}
            {/* Large enough to read on a parcel, in the lines in which it was typed. */}
            <p className="text-heading whitespace-pre-line">{order.deliveryAddress}</p>
            <p>{order.customerPhone}</p>
            <p>{order.customeremail}</p>
          </address>
          <p className="mb-6 text-heading">
            Collect in cash: <strong className="tabular-nums">{cashInWords(orderTotalMinor(order.items))}</strong>
          </p>
          <table className="w-full">
            <thead>
              <tr className="border-b border-line text-start">
                <th className="py-2 text-start">Medicine</th>
                <th className="py-2 text-end">Quantity</th>
                <th className="w-24 py-2 text-end">Packed</th>
              </tr>
            </thead>
            <tbody>
              {order.items.map(({ medicineId, name, manufacturer, quantity, unit }) => (
                <tr key={medicineId} className="border-b border-line">
                  <td className="py-2">
                    {name}
                    {manufacturer && <span className="block text-sm">{manufacturer}</span>}
                  </td>
                  <td className="py-2 text-end">
                    {quantity} {unitName(quantity, unit)}
                  </td>
                  <td className="py-2 text-end text-heading">☐</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </div>
  );
}
