import type { MedicineRecord } from '../medicines/medicine-record.ts';

export type Sellable = Pick<MedicineRecord, 'quantity' | 'expiryDate' | 'archived'>;

/** Whether a medicine can be ordered, in the store or at the counter. @param today - the clinic's date, 'yyyy-mm-dd' */
export function isSellable({ quantity, expiryDate, archived }: Sellable, today: string) {
  return quantity > 0 && expiryDate >= today && !archived;
}
