import { clinicMoment, formatOrderTotal, formatShortDate, formatTime, orderTotalMinor } from '@clinic/app-kit';
import type { Order } from '@clinic/contracts';

/** The name people use for an order, e.g. '#4F09A1': the end of its id, where orders of one day differ. */
export function orderNumber({ _id }: Pick<Order, '_id'>): string {
  return `#${_id.slice(-6).toUpperCase()}`;
}

/** 'Nov 21, 2026, 9:30 AM' by the clinic's clock. */
export function orderedAt({ orderDate }: Pick<Order, 'orderDate'>, timeZone: string): string {
  const { date, time } = clinicMoment(new Date(orderDate), timeZone);
  return `${formatShortDate(date)}, ${formatTime(time)}`;
}

/** '৳12.50' (specification section 9). */
export function orderTotal({ items }: Pick<Order, 'items'>): string {
  return formatOrderTotal(orderTotalMinor(items));
}
