import type { FieldError } from '@clinic/contracts';
import { isDuplicateKey, ProblemError, type SessionCaller } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import type { PharmacyChange } from '../pharmacy-change.ts';
import type { PharmacyCollections } from '../collections.ts';
import { addedEntry } from './add-medicine.ts';
import { reserveMedicineNumbers } from './medicine-number.ts';
import { firstMovement, withFirstMovement } from './movement-record.ts';
import { medicineRecord, type MedicineDetails } from './medicine-record.ts';

/** A line of an import: it is given a number if it has none. */
export interface ImportedMedicine extends Omit<MedicineDetails, 'medicineId'> {
  readonly medicineId?: string | undefined;
}

/**
 * Adds many medicines: all or none.
 *
 * @param by - who imports them
 * @returns number of medicines added
 * @throws ProblemError `duplicate`, naming each line whose number is taken
 */
export async function importMedicines(
  change: PharmacyChange,
  lines: readonly ImportedMedicine[],
  by: Pick<SessionCaller, 'id' | 'email'>,
): Promise<number> {
  const { collections, session, today, lowStockBelow } = change;
  await assertNumbersFree(collections, lines);
  const numbers = await reserveMedicineNumbers(collections, lines.filter(({ medicineId }) => !medicineId).length);
  const medicines = lines.map((line) => {
    const medicineId = line.medicineId || numbers.shift();
    if (medicineId === undefined) throw new Error('Too few medicine numbers were reserved');
    return withFirstMovement(
      medicineRecord(
        new ObjectId(),
        { ...line, medicineId },
        { pharmacistEmail: by.email, pharmacistId: by.id, addedDate: today, lowStockBelow },
      ),
    );
  });
  try {
    await collections.medicines.insertMany(medicines, { session });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Somebody has been faster since the check above; their medicines are visible now.
    await assertNumbersFree(collections, lines);
    throw new ProblemError('duplicate', {
      detail: 'Someone else is adding medicines with the same IDs. We haven’t added any of this part. Try again.',
      cause: error,
    });
  }
  await change.move(...medicines.map((medicine) => firstMovement(medicine, 'imported')));
  await change.record(...medicines.map(addedEntry));
  return medicines.length;
}

/**
 * Rejects lines with a number that is taken, in the inventory or by an earlier line.
 *
 * @throws ProblemError `duplicate`, naming each of them
 */
export async function assertNumbersFree(
  { medicines }: PharmacyCollections,
  lines: readonly ImportedMedicine[],
): Promise<void> {
  const given = lines.flatMap(({ medicineId }) => medicineId || []);
  const found = await medicines.find({ medicineId: { $in: given } }, { projection: { medicineId: 1 } }).toArray();
  const inInventory = new Set(found.map(({ medicineId }) => medicineId));
  const inLinesBefore = new Set<string>();
  const errors = lines.flatMap(({ medicineId }, index): FieldError[] => {
    if (!medicineId) return [];
    const field = `medicines.${index}.medicineId`;
    if (inInventory.has(medicineId)) return [{ field, message: numberTaken(medicineId) }];
    if (inLinesBefore.has(medicineId))
      return [{ field, message: `The ID ${medicineId} is on an earlier line. Give one of them another ID` }];
    inLinesBefore.add(medicineId);
    return [];
  });
  if (errors.length > 0)
    throw new ProblemError('duplicate', { detail: `${errors[0]?.message}. Nothing was added.`, errors });
}

const numberTaken = (medicineId: string): string =>
  `There’s already a medicine with the ID ${medicineId}. Give this line another ID, or leave it out and restock that medicine`;
