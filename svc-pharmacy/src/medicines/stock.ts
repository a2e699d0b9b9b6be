import { maxQuantity, medicineStatusFor } from '@clinic/contracts';
import type { Filter } from 'mongodb';
import type { Change } from '../change.ts';
import type { MedicineDocument } from './medicine.ts';

/** Why stock moved, for the medicine's history. */
export interface StockMovement {
  readonly action: 'ordered' | 'order cancelled' | 'restocked';
  readonly orderId?: string;
}

/**
 * Takes units of a medicine, if it has them and may still be sold today.
 *
 * @param quantity - units, at least 1
 * @returns the medicine afterwards, or `undefined` when it can't be sold so and nothing was taken
 */
export function takeStock(change: Change, medicineId: string, quantity: number, movement: StockMovement): Promise<MedicineDocument | undefined> {
  return moveStock(change, { medicineId, quantity: { $gte: quantity }, expiryDate: { $gte: change.today } }, -quantity, movement);
}

/**
 * Puts units of a medicine back or adds new ones.
 *
 * @param quantity - units, at least 1
 * @returns the medicine afterwards, or `undefined` when there is no such medicine or it would hold more than the largest stock figure
 */
export function addStock(change: Change, medicineId: string, quantity: number, movement: StockMovement): Promise<MedicineDocument | undefined> {
  return moveStock(change, { medicineId, quantity: { $lte: maxQuantity - quantity } }, quantity, movement);
}

async function moveStock(
  { stores, session, lowStockBelow, record }: Change,
  filter: Filter<MedicineDocument>,
  by: number,
  { action, orderId }: StockMovement,
): Promise<MedicineDocument | undefined> {
  const moved = await stores.medicines.findOneAndUpdate(filter, { $inc: { quantity: by } }, { session, returnDocument: 'after' });
  if (!moved) return undefined;
  const status = medicineStatusFor(moved.quantity, lowStockBelow);
  if (status !== moved.status) await stores.medicines.updateOne({ _id: moved._id }, { $set: { status } }, { session });
  await record({
    record: { type: 'medicine', id: moved._id.toHexString() },
    action,
    before: { quantity: moved.quantity - by, status: moved.status },
    after: { quantity: moved.quantity, status, ...(orderId === undefined ? {} : { orderId }) },
  });
  return { ...moved, status };
}
