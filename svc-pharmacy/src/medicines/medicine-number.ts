import { ProblemError } from '@clinic/service-kit';
import type { PharmacyCollections } from '../collections.ts';

/** Id of the counter for generated medicine numbers. */
export const medicineCounterId = 'medicineId';

/** `MED-0037` for 37. */
export function medicineNumber(n: number): string {
  return `MED-${String(n).padStart(4, '0')}`;
}

/**
 * Calls `add` with the next free generated number, e.g. `MED-0037`. Numbers entered by hand are skipped. The number is taken
 * outside any transaction: an unused one leaves a harmless gap, and concurrent additions never wait for each other.
 *
 * @param add - adds the medicine; if it fails with `duplicate`, somebody was faster and the next number is tried
 */
export async function withNextMedicineNumber<T>(
  collections: PharmacyCollections,
  add: (medicineId: string) => Promise<T>,
): Promise<T> {
  for (;;) {
    const [medicineId = ''] = await reserveMedicineNumbers(collections, 1);
    try {
      return await add(medicineId);
    } catch (error) {
      if (!(error instanceof ProblemError && error.code === 'duplicate')) throw error;
    }
  }
}

/**
 * Reserves the next free generated numbers.
 *
 * @param count - how many
 */
export async function reserveMedicineNumbers(collections: PharmacyCollections, count: number): Promise<string[]> {
  const reserved: string[] = [];
  while (reserved.length < count) {
    const missing = count - reserved.length;
    const last = await raiseCounter(collections, missing);
    const next = Array.from({ length: missing }, (_, index) => medicineNumber(last - missing + 1 + index));
    const byHand = await collections.medicines
      .find({ medicineId: { $in: next } }, { projection: { medicineId: 1 } })
      .toArray();
    const taken = new Set(byHand.map(({ medicineId }) => medicineId));
    reserved.push(...next.filter((number) => !taken.has(number)));
  }
  return reserved;
}

async function raiseCounter({ counters }: PharmacyCollections, by: number): Promise<number> {
  const counter = await counters.findOneAndUpdate(
    { _id: medicineCounterId },
    { $inc: { last: by } },
    { upsert: true, returnDocument: 'after' },
  );
  if (!counter) throw new Error('The counter of medicine numbers could not be raised');
  return counter.last;
}
