import { addDays, nearExpiryDays, type MedicineStatus } from '@clinic/contracts';
import { escapeRegex, noRows } from '@clinic/service-kit';
import type { Filter } from 'mongodb';
import { nameKeyOf, type MedicineDocument } from './medicine.ts';

export interface MedicineSearch {
  /** Any part of the name. */
  readonly q?: string | undefined;
  readonly status?: MedicineStatus | undefined;
  /** `soon`: sellable for at most `nearExpiryDays` more days; `expired`: no longer sellable. */
  readonly expiry?: 'soon' | 'expired' | undefined;
  readonly medicineIds?: readonly string[] | undefined;
}

/**
 * What a list of medicines asks for. Only the name is searched (specification section 2), anywhere in it; the index on
 * the name is walked for that, never the medicines themselves.
 *
 * @param today - the clinic's date, 'yyyy-mm-dd'
 */
export function medicineFilter({ q, status, expiry, medicineIds }: MedicineSearch, today: string): Filter<MedicineDocument> {
  const key = nameKeyOf(q ?? '');
  // Nothing of it can be seen, so it is in no name.
  if (q && key === '') return noRows();
  return {
    ...(status === undefined ? {} : { status }),
    ...(q ? { nameKey: { $regex: escapeRegex(key) } } : {}),
    ...(expiry === 'soon' ? { expiryDate: { $gte: today, $lte: addDays(today, nearExpiryDays) } } : {}),
    ...(expiry === 'expired' ? { expiryDate: { $lt: today } } : {}),
    ...(medicineIds === undefined ? {} : { medicineId: { $in: [...medicineIds] } }),
  };
}

/** The orders a list of medicines can be read in. */
export const medicineSorts = {
  name: { nameKey: 1, _id: 1 },
  expiry: { expiryDate: 1, _id: 1 },
  stock: { quantity: 1, _id: 1 },
} as const;
