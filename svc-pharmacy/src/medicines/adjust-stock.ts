import type { ParsedBody } from '@clinic/contracts';
import { ProblemError, rejected } from '@clinic/service-kit';
import type { ObjectId } from 'mongodb';
import { maxQuantity } from '../contract/limits.ts';
import type { PharmacyChange } from '../pharmacy-change.ts';
import { heldUnits } from '../orders/open-orders.ts';
import type { MedicineRecord } from './medicine-record.ts';
import { moveStock } from './stock.ts';

/**
 * Corrects the stock of a medicine. Orders take their units when they are placed, so what pending orders hold can't be taken.
 *
 * @throws ProblemError `not_found`; `changed_meanwhile` if the shelf isn't as it was seen; `stock_short` if fewer are left;
 *   `validation_failed` if it would exceed the maximum stock
 */
export async function adjustStock(
  change: PharmacyChange,
  id: ObjectId,
  { by, reason, note, seen }: ParsedBody<'adjustStock'>,
): Promise<MedicineRecord> {
  if (seen) await assertShelfAsSeen(change, id, seen);
  const quantity = by < 0 ? { $gte: -by } : { $lte: maxQuantity - by };
  const moved = await moveStock(change, { _id: id, quantity }, by, { reason, ...(note && { note }) });
  if (moved) return moved;
  const { medicineId, name, quantity: available, held } = await stockOf(change, id);
  if (by > 0)
    throw rejected('by', `Stock can be at most ${maxQuantity}`, { detail: `The stock of ${name} wasn’t changed.` });
  throw new ProblemError('stock_short', {
    detail: `${name} has ${available} in stock${held > 0 ? `, and pending orders hold ${held} more` : ''}. You can take ${available} at most. We haven’t changed anything.`,
    lines: [{ medicineId, name, requested: -by, available, reason: available === 0 ? 'out of stock' : 'not enough' }],
  });
}

/** A medicine, with the units that pending orders hold. */
async function stockOf({ collections, session }: PharmacyChange, id: ObjectId) {
  const medicine = await collections.medicines.findOne({ _id: id }, { session });
  if (!medicine) throw new ProblemError('not_found', { detail: 'We can’t find this medicine.' });
  return { ...medicine, held: await heldUnits(collections, medicine.medicineId, session) };
}

/** Two who count the same shelf find the same difference, which is corrected once. An order moves nothing on the shelf. */
async function assertShelfAsSeen(change: PharmacyChange, id: ObjectId, { onShelf }: { readonly onShelf: number }) {
  const { name, quantity, held } = await stockOf(change, id);
  if (quantity + held === onShelf) return;
  throw new ProblemError('changed_meanwhile', {
    detail: `We now expect ${quantity + held} of ${name} on the shelf, not ${onShelf}. Check what is there and try again.`,
  });
}
