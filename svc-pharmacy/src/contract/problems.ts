import { defineProblems } from '@clinic/contracts/problems';

/** Errors of the pharmacy's calls, besides those that every service can send. */
const pharmacyProblems = defineProblems({
  too_many_orders: { status: 409, title: 'Too many open orders' },
  stock_short: { status: 409, title: 'Some items aren’t available' },
  prescription_needed: { status: 409, title: 'Needs a prescription' },
  price_changed: { status: 409, title: 'Prices have changed' },
});

type PharmacyProblems = typeof pharmacyProblems;

/** An order line that can't be delivered, and how much of it can be ordered. */
export interface StockShortage {
  readonly medicineId: string;
  readonly name?: string;
  readonly requested: number;
  /** Units the customer can order. */
  readonly available: number;
  /**
   * `limit` if it is in stock, but one customer may not have more on order; `unknown` also if it is archived;
   * `prescription` if only the counter sells it.
   */
  readonly reason: 'out of stock' | 'not enough' | 'expired' | 'unknown' | 'limit' | 'prescription';
}

/** An order line whose price isn't the pharmacy's current one; decimal amounts for one unit. */
export interface PriceChange {
  readonly medicineId: string;
  readonly name: string;
  readonly quantity: number;
  /** The price in the order. */
  readonly seen: number;
  readonly now: number;
}

declare module '@clinic/contracts/domain' {
  interface DomainProblems extends PharmacyProblems {}

  interface ProblemDetails {
    /** With `stock_short` and `prescription_needed`. */
    readonly lines?: readonly StockShortage[];
    /** With `price_changed`. */
    readonly prices?: readonly PriceChange[];
    /** With `price_changed`: what the order would cost now; a decimal amount. */
    readonly total?: number;
  }
}
