import type { TransitionTable } from '@clinic/contracts';

export const orderStatuses = ['pending', 'Shipped', 'Delivered', 'Cancelled'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** `customer` is the one who placed the order; `admin` and `pharmacist` are any person with that role. */
export type OrderActor = 'admin' | 'pharmacist' | 'customer';

export const orderTransitions: TransitionTable<OrderStatus, OrderActor> = {
  pending: {
    Shipped: ['admin', 'pharmacist'],
    Delivered: ['admin', 'pharmacist'],
    Cancelled: ['admin', 'pharmacist', 'customer'],
  },
  Shipped: { Delivered: ['admin', 'pharmacist', 'customer'], Cancelled: ['admin', 'pharmacist'] },
  Delivered: {},
  Cancelled: {},
};

export const medicineStatuses = ['in stock', 'low stock', 'out of stock'] as const;
export type MedicineStatus = (typeof medicineStatuses)[number];

/** Statuses in which a medicine can be added to the cart. */
export const sellableStatuses = ['in stock', 'low stock'] as const satisfies readonly MedicineStatus[];

/**
 * The status that follows from a stock figure.
 *
 * @param quantity - units in stock
 * @param lowStockBelow - stock is low below this many units (`LOW_STOCK_BELOW`, 10 by default)
 */
export function medicineStatusFor(quantity: number, lowStockBelow: number): MedicineStatus {
  if (quantity <= 0) return 'out of stock';
  return quantity < lowStockBelow ? 'low stock' : 'in stock';
}
