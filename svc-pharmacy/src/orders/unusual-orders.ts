import type { MedicineDocument } from '../medicines/medicine.ts';
import { customerLimit, type HouseholdLimits } from './household-limits.ts';

/** More different medicines than this in one order are unusual. */
const usualLines = 10;

/**
 * Whether staff should look at an order before they pack it: it takes more than half of what one customer can have of a
 * medicine, or many different ones. Few orders of a household are like that, and every attempt to empty the shelves is.
 *
 * @param lines - with duplicates merged
 * @param limits - the usual ones
 */
export function isUnusual(lines: readonly { readonly medicine: MedicineDocument; readonly quantity: number }[], limits: HouseholdLimits): boolean {
  return lines.length > usualLines || lines.some(({ medicine, quantity }) => quantity * 2 > customerLimit(medicine, limits));
}
