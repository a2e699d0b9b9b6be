import type { PharmacyAction } from '../contract/actions.ts';
import { maxQuantity } from '../contract/limits.ts';
import type { MovementReason } from '../contract/stock-reasons.ts';
import type { Filter } from 'mongodb';
import { notifyBackInStock } from '../back-in-stock/notify-back-in-stock.ts';
import { medicineStatusFor } from '../contract/transitions.ts';
import type { PharmacyChange } from '../pharmacy-change.ts';
import type { MedicineRecord } from './medicine-record.ts';

/** Why stock moved, for its movement and the medicine's history. */
export interface StockMovement {
  readonly reason: Exclude<MovementReason, 'carried over' | 'added' | 'imported'>;
  readonly orderId?: string;
  readonly note?: string;
  /** Returned units that aren't in the stock figure because it is at its maximum. */
  readonly surplus?: number;
}

/**
 * Takes units of a medicine, if there are enough and it may still be sold today.
 *
 * @param quantity - units, at least 1
 * @param atCounter - to somebody who has shown a prescription
 * @returns the updated medicine, or `undefined` if it can't be sold and nothing was taken
 */
export function takeStock(
  change: PharmacyChange,
  medicineId: string,
  quantity: number,
  movement: StockMovement,
  atCounter: boolean,
): Promise<MedicineRecord | undefined> {
  return moveStock(
    change,
    {
      medicineId,
      quantity: { $gte: quantity },
      expiryDate: { $gte: change.today },
      archived: { $ne: true },
      ...(atCounter ? {} : { prescriptionOnly: { $ne: true } }),
    },
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
  movement: { readonly reason: 'order cancelled' | 'order expired'; readonly orderId: string },
): Promise<number> {
  if (await addStock(change, medicineId, quantity, movement)) return 0;
  const medicine = await change.collections.medicines.findOne({ medicineId }, { session: change.session });
  if (!medicine) return quantity;
  const room = Math.max(0, maxQuantity - medicine.quantity);
  const surplus = quantity - room;
  await moveStock(change, { medicineId }, room, { ...movement, surplus });
  return surplus;
}

/** How the medicine's history calls it. */
function actionOf(reason: StockMovement['reason']): PharmacyAction {
  if (reason === 'ordered' || reason === 'restocked') return reason;
  return reason === 'order cancelled' || reason === 'order expired' ? 'order cancelled' : 'adjusted';
}

/**
 * Changes the stock of a medicine, with its status, movement and history.
 *
 * @param filter - the medicine, and what must be true of it
 * @param by - units, negative to take some
 * @returns the updated medicine, or `undefined` if the filter finds none
 */
export async function moveStock(
  change: PharmacyChange,
  filter: Filter<MedicineRecord>,
  by: number,
  { reason, surplus, ...about }: StockMovement,
): Promise<MedicineRecord | undefined> {
  const { collections, session, lowStockBelow, record } = change;
  const moved = await collections.medicines.findOneAndUpdate(
    filter,
    { $inc: { quantity: by, booked: by, moves: 1 } },
    { session, returnDocument: 'after' },
  );
  if (!moved) return undefined;
  const { _id: medicine, quantity } = moved;
  const status = medicineStatusFor(quantity, lowStockBelow);
  // What a release that doesn't keep movements has changed.
  const carried = quantity - (moved.booked ?? 0);
  const moves = (moved.moves ?? 0) + (carried === 0 ? 0 : 1);
  if (status !== moved.status || carried !== 0)
    await collections.medicines.updateOne(
      { _id: medicine },
      { $set: { status, booked: quantity, moves } },
      { session },
    );
  await change.move(
    ...(carried === 0
      ? []
      : [{ medicine, place: moves - 1, by: carried, quantity: quantity - by, reason: 'carried over' as const }]),
    { medicine, place: moves, by, quantity, reason, ...about },
  );
  await record({
    record: { type: 'medicine', id: medicine.toHexString() },
    action: actionOf(reason),
    before: { quantity: quantity - by, status: moved.status },
    after: {
      quantity,
      status,
      ...(actionOf(reason) === 'adjusted' && { reason }),
      ...about,
      ...(surplus !== undefined && { surplus }),
    },
  });
  await notifyBackInStock(change, { ...moved, quantity: quantity - by }, moved);
  return { ...moved, status, booked: quantity, moves };
}
