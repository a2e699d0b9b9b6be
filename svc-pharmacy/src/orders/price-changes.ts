import { formatStorePrice, orderTotalMinor, toMajor, toMinor } from '@clinic/contracts';
import { ProblemError } from '@clinic/service-kit';
import type { PriceChange } from '../contract/problems.ts';
import type { MedicineRecord } from '../medicines/medicine-record.ts';
import type { RequestedLine } from './order-record.ts';

/**
 * Rejects an order with an outdated price, so that nobody pays a price they haven't seen. Lines without a price are
 * sold at the current one.
 *
 * @param lines - as sent; of duplicate lines, each must have the right price
 * @param requested - the same with duplicates merged
 * @param found - the medicines as they are now
 * @param sign - of the clinic's currency, if it has one
 * @throws ProblemError `price_changed` with each changed price and the new total
 */
export function assertPricesAsShown(
  lines: readonly RequestedLine[],
  requested: readonly RequestedLine[],
  found: readonly MedicineRecord[],
  sign?: string,
): void {
  const byId = new Map(found.map((medicine) => [medicine.medicineId, medicine]));
  const prices = requested.flatMap(({ medicineId, quantity }): PriceChange[] => {
    const medicine = byId.get(medicineId);
    const other = lines.find(
      (line) =>
        line.medicineId === medicineId &&
        line.pricePerUnit !== undefined &&
        toMinor(line.pricePerUnit) !== medicine?.priceMinor,
    );
    if (!medicine || other?.pricePerUnit === undefined) return [];
    return [{ medicineId, name: medicine.name, quantity, seen: other.pricePerUnit, now: toMajor(medicine.priceMinor) }];
  });
  if (prices.length === 0) return;
  const totalMinor = orderTotalMinor(
    requested.map(({ medicineId, quantity }) => ({
      quantity,
      pricePerUnit: toMajor(byId.get(medicineId)?.priceMinor ?? 0),
    })),
  );
  const changes = prices
    .map(
      ({ name, seen, now }) =>
        `${name} costs ${formatStorePrice(toMinor(now), sign)}, not ${formatStorePrice(toMinor(seen), sign)}`,
    )
    .join('; ');
  throw new ProblemError('price_changed', {
    detail: `${changes}. The order would now cost ${formatStorePrice(totalMinor, sign)}. We haven’t placed it: check the prices and order again.`,
    prices,
    total: toMajor(totalMinor),
  });
}
