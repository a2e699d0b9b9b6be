/** Money is computed in minor units (integers: cents, poisha); decimal amounts exist only on the wire and on screen. */

import { whenNeeded } from './when-needed.ts';

const minorPerMajor = 100;

/**
 * @param amount - a decimal amount, e.g. 12.5
 * @returns minor units, rounded half away from zero, e.g. 1250
 */
export function toMinor(amount: number): number {
  // Shifting the point in the decimal notation is exact where `amount * 100` isn't (1.005 * 100 = 100.49999…).
  return Math.sign(amount) * Math.round(Number(`${Math.abs(amount).toFixed(8)}e2`));
}

/** @param minor - minor units; @returns the decimal amount */
export function toMajor(minor: number): number {
  // An earlier release accepted prices of -0; adding 0 turns them into 0.
  return minor / minorPerMajor + 0;
}

/** Sum of price × quantity in minor units. */
export function orderTotalMinor(
  items: readonly { readonly pricePerUnit: number; readonly quantity: number }[],
): number {
  return items.reduce((sum, item) => sum + toMinor(item.pricePerUnit) * item.quantity, 0);
}

const amounts = whenNeeded(
  () => new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
);

let oneSign: string | undefined;

/**
 * Shows all amounts with one sign, e.g. '৳'; `undefined` for dollars in the store and taka in orders, as in the demo.
 */
export function setCurrencySign(sign: string | undefined): void {
  oneSign = sign;
}

const format = (minor: number, sign: string): string => sign + amounts().format(toMajor(minor));

/** '$12.50', as the store shows prices. @param sign - of the clinic's currency, if it has one */
export function formatStorePrice(minor: number, sign = oneSign): string {
  return format(minor, sign ?? '$');
}

/** '৳12.50', as order tables show totals; nothing is converted (docs/product.md, Orders). */
export function formatOrderTotal(minor: number, sign = oneSign): string {
  return format(minor, sign ?? '৳');
}
