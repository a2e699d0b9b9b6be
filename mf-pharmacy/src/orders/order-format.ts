import { formatOrderTotal, formatStorePrice, orderTotalMinor } from '@clinic/app-kit';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';

/** Short name of an order, e.g. '#4F09A1': the end of its id, where orders of one day differ. */
export function orderNumber({ _id }: Pick<Order, '_id'>): string {
  return `#${_id.slice(-6).toUpperCase()}`;
}

/** '৳12.50': order tables show taka, the store dollars (docs/product.md, Orders). */
export function orderTotal({ items }: Pick<Order, 'items'>): string {
  return formatOrderTotal(orderTotalMinor(items));
}

/**
 * What is handed over for an order: '৳12.50 ($12.50 in the store)' in a demo, which has two signs for the same amount; otherwise
 * in the clinic's currency alone.
 *
 * @param minor - minor currency units
 */
export function cashInWords(minor: number): string {
  const [paid, seen] = [formatOrderTotal(minor), formatStorePrice(minor)];
  return paid === seen ? paid : `${paid} (${seen} in the store)`;
}
