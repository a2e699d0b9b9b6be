import { integer, keptDays, timeZone, type SettingsOf } from '@clinic/service-kit';
import { householdLimits } from './orders/household-limits.ts';

/** The pharmacy's own settings, read from the environment. */
export const settings = {
  /** The clock that says which day it is at the clinic, hence what is expired. */
  CLINIC_TZ: timeZone({ default: 'Asia/Dhaka' }),
  /** Below this many units a medicine is 'low stock'. */
  LOW_STOCK_BELOW: integer({ min: 1, default: 10 }),
  /** Pending orders that a customer may have at once; staff order as often as they like. */
  PHARMACY_MAX_OPEN_ORDERS: integer({ min: 1, max: 100_000, default: 10 }),
  /** The same for customers whose e-mail address isn't confirmed. */
  PHARMACY_MAX_OPEN_ORDERS_UNCONFIRMED: integer({ min: 0, max: 100_000, default: 1 }),
  /** Different medicines in all of a customer's pending orders together; staff order as many as they like. */
  PHARMACY_MAX_OPEN_MEDICINES: integer({ min: 1, max: 100_000, default: 20 }),
  /** Hours after which an order that is still pending is cancelled; 0: never. */
  PHARMACY_PENDING_ORDER_HOURS: integer({ min: 0, max: 8_760, default: 72 }),
  /** Days after which a cancelled order loses address and phone; 0: never. */
  PHARMACY_CANCELLED_DETAILS_KEPT_DAYS: keptDays(365),
  /** Units of one medicine in all of a customer's pending orders together, by unit; a pharmacist may set another limit for a medicine. */
  PHARMACY_UNITS_PER_CUSTOMER: householdLimits(),
};

export type PharmacySettings = SettingsOf<typeof settings>;
