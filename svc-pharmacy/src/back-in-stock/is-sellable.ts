import type { MedicineRecord } from '../medicines/medicine-record.ts';

/** Whether a medicine can be ordered. @param today - the clinic's date, 'yyyy-mm-dd' */
export function isSellable({ quantity, expiryDate }: Pick<MedicineRecord, 'quantity' | 'expiryDate'>, today: string) {
  return quantity > 0 && expiryDate >= today;
}
