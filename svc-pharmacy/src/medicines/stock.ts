import { maxQuantity, medicineStatusFor } from '@clinic/contracts';
import type { Filter } from 'mongodb';
import { notifyBackInStock } from '../back-in-stock/notify-back-in-stock.ts';
import type { PharmacyChange } from '../pharmacy-change.ts';
import type { MedicineRecord } from './medicine-record.ts';

/** Why stock moved, for the medicine's history. */
export interface StockMovement {
  readonly action: 'ordered' | 'order cancelled' | 'restocked';
  readonly orderId?: string;
  /** Returned units that aren't in the stock figure because it is at its maximum. */
  readonly surplus?: number;
}

/**
 * Takes units of a medicine, if there are enough and it may still be sold today.
 *
 * @param quantity - units, at least 1
 * @returns the updated medicine, or `undefined` if it can't be sold and nothing was taken
 */
export function takeStock(
  change: PharmacyChange,
  medicineId: string,
  quantity: number,
  movement: StockMovement,
): Promise<MedicineRecord | undefined> {
  return moveStock(
    change,
    { medicineId, quantity: { $gte: quantity }, expiryDate: { $gte: change.today } },
    -quantity,
    movement,
  );
}

/**
 * Returns units of a medicine to stock, or adds new ones.
 *
 * @param quantity - units, at least 1
 * @returns the updated medicine, or `undefined` if there is no such medicine or it would exceed the maximum stock
 */
export function addStock(
  change: PharmacyChange,
  medicineId: string,
  quantity: number,
  movement: StockMovement,
): Promise<MedicineRecord | undefined> {
  return moveStock(change, { medicineId, quantity: { $lte: maxQuantity - quantity } }, quantity, movement);
}

/**
 * Returns the units of a cancelled order. Never fails: a medicine that would exceed the maximum stock is set to the maximum,
 * and its history says how many units are missing from it.
 *
 * @param quantity - units, at least 1
 * @returns units not returned to stock, because the medicine is at its maximum or deleted
 */
export async function returnStock(
  change: PharmacyChange,
  medicineId: string,
  quantity: number,
  orderId: string,
): Promise<number> {
  const movement = { action: 'order cancelled', orderId } as const;
  if (await addStock(change, medicineId, quantity, movement)) return 0;
  const medicine = await change.collections.medicines.findOne({ medicineId }, { session: change.session });
  if (!medicine) return quantity;
  const room = Math.max(0, maxQuantity - medicine.quantity);
  const surplus = quantity - room;
  await moveStock(change, { medicineId }, room, { ...movement, surplus });
  return surplus;
}

async function moveStock(
  change: PharmacyChange,
  filter: Filter<MedicineRecord>,
  by: number,
  { action, ...about }: StockMovement,
): Promise<MedicineRecord | undefined> {
  const { collections, session, lowStockBelow, record } = change;
  const moved = await collections.medicines.findOneAndUpdate(
    filter,
    { $inc: { quantity: by } },
    { session, returnDocument: 'after' },
  );
  if (!moved) return undefined;
  const status = medicineStatusFor(moved.quantity, lowStockBelow);
  if (status !== moved.status)
    await collections.medicines.updateOne({ _id: moved._id }, { $set: { status } }, { session });
  await record({
    record: { type: 'medicine', id: moved._id.toHexString() },
    action,
    before: { quantity: moved.quantity - by, status: moved.status },
    after: { quantity: moved.quantity, status, ...about },
  });
  await notifyBackInStock(change, { ...moved, quantity: moved.quantity - by }, moved);
  return { ...moved, status };
}
