import { isDuplicateKey, ProblemError } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import type { HistoryEntry } from '../history/history-entry.ts';
import type { PharmacyChange } from '../pharmacy-change.ts';
import { medicineRecord, type AddedBy, type MedicineDetails, type MedicineRecord } from './medicine-record.ts';
import { firstMovement, withFirstMovement } from './movement-record.ts';

export interface NewMedicine extends MedicineDetails, AddedBy {
  /** 'yyyy-mm-dd'; defaults to today in the clinic's time zone. */
  readonly addedDate?: string | undefined;
}

/**
 * Adds a medicine to the inventory.
 *
 * @throws ProblemError `duplicate` if its number is taken
 */
export async function addMedicine(
  change: PharmacyChange,
  { pharmacistEmail, pharmacistId, addedDate = change.today, ...details }: NewMedicine,
): Promise<MedicineRecord> {
  const { collections, session, lowStockBelow } = change;
  const medicine = withFirstMovement(
    medicineRecord(new ObjectId(), details, { pharmacistEmail, pharmacistId, addedDate, lowStockBelow }),
  );
  try {
    await collections.medicines.insertOne(medicine, { session });
  } catch (error) {
    throw isDuplicateKey(error) ? numberTaken(medicine.medicineId) : error;
  }
  await change.move(firstMovement(medicine, 'added'));
  await change.record(addedEntry(medicine));
  return medicine;
}

/** The first entry of a medicine's history. */
export function addedEntry({ _id, quantity, status, priceMinor, expiryDate }: MedicineRecord): HistoryEntry {
  return {
    record: { type: 'medicine', id: _id.toHexString() },
    action: 'added',
    before: null,
    after: { quantity, status, priceMinor, expiryDate },
  };
}

function numberTaken(medicineId: string): ProblemError {
  const message = `There’s already a medicine with the ID ${medicineId}. Enter another, or restock that one`;
  return new ProblemError('duplicate', { detail: `${message}.`, errors: [{ field: 'medicine.medicineId', message }] });
}
