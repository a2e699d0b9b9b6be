import { formatOrderTotal, formatStorePrice, orderTotalMinor } from '@clinic/app-kit';
import type { Order } from '@clinic/contracts';

/** Short name of an order, e.g. '#4F09A1': the end of its id, where orders of one day differ. */
export function orderNumber({ _id }: Pick<Order, '_id'>): string {
  return `#${_id.slice(-6).toUpperCase()}`;
}

/** '৳12.50': order tables show taka, the store dollars (docs/product.md, Orders). */
export function orderTotal({ items }: Pick<Order, 'items'>): string {
  return formatOrderTotal(orderTotalMinor(items));
}

/**
 * What the courier collects: '৳12.50, in the store $12.50' in a demo, where the customer saw another sign for the same amount;
 * otherwise in the clinic's currency alone.
 */
export function cashToCollect({ items }: Pick<Order, 'items'>): string {
  const minor = orderTotalMinor(items);
  const [collected, seen] = [formatOrderTotal(minor), formatStorePrice(minor)];
  return collected === seen ? collected : `${collected}, in the store ${seen}`;
}
