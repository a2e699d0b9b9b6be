import { integer, timeZone, type SettingsOf } from '@clinic/service-kit';

/** The pharmacy's own settings, read from the environment. */
export const settings = {
  /** The clock that says which day it is at the clinic, hence what is expired. */
  CLINIC_TZ: timeZone({ default: 'Asia/Dhaka' }),
  /** Below this many units a medicine is 'low stock'. */
  LOW_STOCK_BELOW: integer({ min: 1, default: 10 }),
  /** Pending orders that a customer may have at once; staff order as often as they like. */
  PHARMACY_MAX_OPEN_ORDERS: integer({ min: 1, max: 100_000, default: 10 }),
};

export type PharmacySettings = SettingsOf<typeof settings>;
