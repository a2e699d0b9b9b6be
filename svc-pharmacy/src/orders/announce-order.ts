import { toMajor } from '@clinic/contracts';
import { isNobodysEmail } from '@clinic/contracts/erased-person';
import type { PharmacyChange } from '../pharmacy-change.ts';
import { isCollected, totalMinorOf, type OrderRecord } from './order-record.ts';

/** Queues a message to the customer, in the transaction of the change. */
export async function announceOrder(
  { send, currency = '৳' }: Pick<PharmacyChange, 'send' | 'currency'>,
  kind: 'order-placed' | 'order-shipped' | 'order-cancelled',
  order: OrderRecord,
): Promise<void> {
  const { _id, number, items, customerId, customerEmail, recipientName } = order;
  if (isNobodysEmail(customerEmail)) return;
  await send({
    kind,
    to: { ...(customerId !== undefined && { account: customerId }), email: customerEmail },
    data: {
      order: {
        id: _id.toHexString(),
        number,
        lines: items.map(({ name, quantity }) => ({ name, quantity })),
        total: toMajor(totalMinorOf(order)),
        currency,
        ...(recipientName && { recipient: recipientName }),
        ...(isCollected(order) && { collected: true }),
      },
    },
  });
}
