import { currency, integer, keptDays, type ContextFor } from '@clinic/service-kit';
import { householdLimits } from './medicines/household-limits.ts';

/** The pharmacy's own settings. */
export const settings = {
  /** The clinic's currency: one sign for all amounts. Without it the store shows $ and orders ৳, as in the demo. */
  CURRENCY: currency,
  /** A medicine with fewer units than this is 'low stock'. */
  LOW_STOCK_BELOW: integer({ min: 1, default: 10 }),
  /** Maximum pending orders per customer; no limit for staff. */
  PHARMACY_MAX_OPEN_ORDERS: integer({ min: 1, max: 100_000, default: 10 }),
  /** The same limit for customers whose email address isn't confirmed. */
  PHARMACY_MAX_OPEN_ORDERS_UNCONFIRMED: integer({ min: 0, max: 100_000, default: 1 }),
  /** Maximum distinct medicines in all of a customer's pending orders; no limit for staff. */
  PHARMACY_MAX_OPEN_MEDICINES: integer({ min: 1, max: 100_000, default: 20 }),
  /** Hours until a pending order expires; 0: never. */
  PHARMACY_PENDING_ORDER_HOURS: integer({ min: 0, max: 8_760, default: 72 }),
  /** Days until a cancelled order loses address and phone; 0: never. */
  PHARMACY_CANCELLED_DETAILS_KEPT_DAYS: keptDays(365),
  /**
   * Maximum units of one medicine in all of a customer's pending orders, by unit; a pharmacist may set another limit for a
   * medicine.
   */
  PHARMACY_UNITS_PER_CUSTOMER: householdLimits(),
};

/** What every handler and job of this service gets. */
export type PharmacyContext = ContextFor<typeof settings>;
