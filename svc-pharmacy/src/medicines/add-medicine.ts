import { isDuplicateKey, ProblemError } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import type { Change, HistoryEntry } from '../change.ts';
import { medicineDocument, type MedicineDetails, type MedicineDocument } from './medicine.ts';

export interface NewMedicine extends MedicineDetails {
  /** Who adds it; lower case. */
  readonly pharmacistEmail: string;
  /** 'yyyy-mm-dd'; defaults to today in the clinic's time zone. */
  readonly addedDate?: string | undefined;
}

/**
 * Adds a medicine to the inventory.
 *
 * @throws ProblemError `duplicate` if its number is taken
 */
export async function addMedicine(
  change: Change,
  { pharmacistEmail, addedDate = change.today, ...details }: NewMedicine,
): Promise<MedicineDocument> {
  const { stores, session, lowStockBelow } = change;
  const medicine = medicineDocument(new ObjectId(), details, { pharmacistEmail, addedDate, lowStockBelow });
  try {
    await stores.medicines.insertOne(medicine, { session });
  } catch (error) {
    throw isDuplicateKey(error) ? numberTaken(medicine.medicineId) : error;
  }
  await change.record(addedEntry(medicine));
  return medicine;
}

/** The first entry of a medicine's history. */
export function addedEntry({ _id, quantity, status, priceMinor, expiryDate }: MedicineDocument): HistoryEntry {
  return {
    record: { type: 'medicine', id: _id.toHexString() },
    action: 'added',
    before: null,
    after: { quantity, status, priceMinor, expiryDate },
  };
}

function numberTaken(medicineId: string): ProblemError {
  const message = `There’s already a medicine with the ID ${medicineId}`;
  return new ProblemError('duplicate', { detail: `${message}.`, errors: [{ field: 'medicine.medicineId', message }] });
}
