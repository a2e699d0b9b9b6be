import type { Filter } from 'mongodb';
import type { PharmacyCollections } from '../collections.ts';
import { medicineStatuses, type MedicineStatus } from '../contract/transitions.ts';
import type { MedicineRecord } from './medicine-record.ts';

/**
 * Updates every status after a change of LOW_STOCK_BELOW. Runs at start; does nothing if the limit hasn't changed.
 *
 * @returns number of statuses changed
 */
export async function alignStatuses({ medicines }: PharmacyCollections, lowStockBelow: number): Promise<number> {
  const ranges: Record<MedicineStatus, Filter<MedicineRecord>['quantity']> = {
    'out of stock': { $lte: 0 },
    'low stock': { $gt: 0, $lt: lowStockBelow },
    'in stock': { $gte: Math.max(1, lowStockBelow) },
  };
  let changed = 0;
  for (const status of medicineStatuses) {
    const others = medicineStatuses.filter((other) => other !== status);
    const { modifiedCount } = await medicines.updateMany(
      { status: { $in: others }, quantity: ranges[status] },
      { $set: { status } },
    );
    changed += modifiedCount;
  }
  return changed;
}
