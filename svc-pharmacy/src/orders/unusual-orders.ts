import type { MedicineRecord } from '../medicines/medicine-record.ts';
import { customerLimit, type HouseholdLimits } from '../medicines/household-limits.ts';

/** An order with more distinct medicines than this is unusual. */
const usualLines = 10;

/**
 * Whether staff should review an order before packing: it takes more than half of a customer's limit for a medicine, or
 * many different ones. Few household orders do, and every attempt to buy up the stock does.
 *
 * @param lines - with duplicates merged
 * @param limits - the defaults
 */
export function isUnusual(
  lines: readonly { readonly medicine: MedicineRecord; readonly quantity: number }[],
  limits: HouseholdLimits,
): boolean {
  return (
    lines.length > usualLines || lines.some(({ medicine, quantity }) => quantity * 2 > customerLimit(medicine, limits))
  );
}
