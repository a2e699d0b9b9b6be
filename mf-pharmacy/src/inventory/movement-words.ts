import type { Movement } from '@clinic/svc-pharmacy/contract/stock-schemas';
import { orderNumber } from '../orders/order-format.ts';
import type { MovementReason } from '@clinic/svc-pharmacy/contract/stock-reasons';

/** Why a quantity changed, as shown on screen. */
export const reasonLabels: Readonly<Record<MovementReason, string>> = {
  'carried over': 'Carried over',
  added: 'Added',
  imported: 'Imported',
  restocked: 'Restocked',
  ordered: 'Ordered',
  'order cancelled': 'Order cancelled',
  'order expired': 'Order not sent in time',
  counted: 'Counted',
  broken: 'Broken',
  expired: 'Expired',
  returned: 'Returned',
  recalled: 'Recalled',
  other: 'Other',
};

/** 'Ordered #4F09A1: −2, then 38', or 'Counted: 38 as before' and 'Added: none in stock' if nothing moved. A newer server may know more reasons: its own word is shown. */
export function describeMovement({ by, quantity, reason, order }: Movement): string {
  const label = Object.hasOwn(reasonLabels, reason) ? reasonLabels[reason as MovementReason] : reason;
  const number = order === undefined ? '' : ` ${orderNumber({ _id: order })}`;
  if (by === 0) return `${label}: ${quantity === 0 ? 'none in stock' : `${quantity.toLocaleString('en')} as before`}`;
  const sign = by < 0 ? '−' : '+';
  return `${label}${number}: ${sign}${Math.abs(by).toLocaleString('en')}, then ${quantity.toLocaleString('en')}`;
}
