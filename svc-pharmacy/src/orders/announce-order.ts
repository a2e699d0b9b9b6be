import { toMajor } from '@clinic/contracts';
import { isErasedEmail } from '@clinic/contracts/erased-person';
import type { PharmacyChange } from '../pharmacy-change.ts';
import type { OrderRecord } from './order-record.ts';

/** Queues a message to the customer, in the transaction of the change. */
export async function announceOrder(
  { send, currency = '৳' }: Pick<PharmacyChange, 'send' | 'currency'>,
  kind: 'order-placed' | 'order-shipped' | 'order-cancelled',
  { _id, number, items, customerId, customerEmail }: OrderRecord,
): Promise<void> {
  if (isErasedEmail(customerEmail)) return;
  const total = items.reduce((sum, { priceMinor, quantity }) => sum + priceMinor * quantity, 0);
  await send({
    kind,
    to: { ...(customerId !== undefined && { account: customerId }), email: customerEmail },
    data: {
      order: {
        id: _id.toHexString(),
        number,
        lines: items.map(({ name, quantity }) => ({ name, quantity })),
        total: toMajor(total),
        currency,
      },
    },
  });
}
