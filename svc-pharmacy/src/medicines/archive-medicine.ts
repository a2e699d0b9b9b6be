import { notifyBackInStock } from '../back-in-stock/notify-back-in-stock.ts';
import type { PharmacyChange } from '../pharmacy-change.ts';
import type { MedicineRecord } from './medicine-record.ts';

/**
 * Takes a medicine out of the store and the inventory, or brings it back. It stays in orders, history and reports of sales, and
 * cancelled orders return their units to it.
 *
 * @param medicine - as read in this transaction
 */
export async function archiveMedicine(
  change: PharmacyChange,
  medicine: MedicineRecord,
  archives: boolean,
): Promise<MedicineRecord> {
  const { archived, ...shown } = medicine;
  if ((archived ?? false) === archives) return medicine;
  const after: MedicineRecord = archives ? { ...shown, archived: true } : shown;
  // A write to the medicine: an order of it at the same moment conflicts, and is tried again.
  await change.collections.medicines.updateOne(
    { _id: medicine._id },
    archives ? { $set: { archived: true } } : { $unset: { archived: '' } },
    { session: change.session },
  );
  await change.record({
    record: { type: 'medicine', id: medicine._id.toHexString() },
    action: archives ? 'archived' : 'brought back',
    before: { archived: !archives },
    after: { archived: archives },
  });
  await notifyBackInStock(change, medicine, after);
  return after;
}
