import { ProblemError } from '@clinic/service-kit';
import type { Stores } from '../stores.ts';

/** The counter behind the pharmacy's own series of numbers. */
export const medicineCounterId = 'medicineId';

/** `MED-0037` for 37. */
export function medicineNumber(n: number): string {
  return `MED-${String(n).padStart(4, '0')}`;
}

/**
 * Does something with the next free number of the pharmacy's own series, e.g. `MED-0037`. Numbers that people gave by
 * hand are skipped. The number is taken outside any transaction: one that is then not used leaves a harmless gap, while
 * two adders never wait for each other.
 *
 * @param add - adds the medicine; when it says `duplicate`, somebody was faster and the next number is tried
 */
export async function withNextMedicineNumber<T>(stores: Stores, add: (medicineId: string) => Promise<T>): Promise<T> {
  for (;;) {
    const medicineId = medicineNumber(await raiseCounter(stores));
    if (await stores.medicines.findOne({ medicineId }, { projection: { _id: 1 } })) continue;
    try {
      return await add(medicineId);
    } catch (error) {
      if (!(error instanceof ProblemError && error.code === 'duplicate')) throw error;
    }
  }
}

async function raiseCounter({ counters }: Stores): Promise<number> {
  const counter = await counters.findOneAndUpdate({ _id: medicineCounterId }, { $inc: { last: 1 } }, { upsert: true, returnDocument: 'after' });
  if (!counter) throw new Error('The counter of medicine numbers could not be raised');
  return counter.last;
}
