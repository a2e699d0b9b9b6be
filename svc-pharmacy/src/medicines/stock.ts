import { maxQuantity, medicineStatusFor } from '@clinic/contracts';
import type { Filter } from 'mongodb';
import type { Change } from '../change.ts';
import type { MedicineDocument } from './medicine.ts';

/** Why stock moved, for the medicine's history. */
export interface StockMovement {
  readonly action: 'ordered' | 'order cancelled' | 'restocked';
  readonly orderId?: string;
  /** Units that came back and are not in the stock figure, which is at its largest. */
  readonly surplus?: number;
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

/**
 * Puts the units of a cancelled order back. This never fails: a medicine that would exceed the largest stock figure keeps that
 * figure, and its history says how many units are not in it.
 *
 * @param quantity - units, at least 1
 * @returns the units that are in no stock now, because the medicine is full or gone
 */
export async function returnStock(change: Change, medicineId: string, quantity: number, orderId: string): Promise<number> {
  const movement = { action: 'order cancelled', orderId } as const;
  if (await addStock(change, medicineId, quantity, movement)) return 0;
  const medicine = await change.stores.medicines.findOne({ medicineId }, { session: change.session });
  if (!medicine) return quantity;
  const room = Math.max(0, maxQuantity - medicine.quantity);
  const surplus = quantity - room;
  await moveStock(change, { medicineId }, room, { ...movement, surplus });
  return surplus;
}

async function moveStock(
  { stores, session, lowStockBelow, record }: Change,
  filter: Filter<MedicineDocument>,
  by: number,
  { action, ...about }: StockMovement,
): Promise<MedicineDocument | undefined> {
  const moved = await stores.medicines.findOneAndUpdate(filter, { $inc: { quantity: by } }, { session, returnDocument: 'after' });
  if (!moved) return undefined;
  const status = medicineStatusFor(moved.quantity, lowStockBelow);
  if (status !== moved.status) await stores.medicines.updateOne({ _id: moved._id }, { $set: { status } }, { session });
  await record({
    record: { type: 'medicine', id: moved._id.toHexString() },
    action,
    before: { quantity: moved.quantity - by, status: moved.status },
    after: { quantity: moved.quantity, status, ...about },
  });
  return { ...moved, status };
}
