import { escapeRegex } from '@clinic/service-kit';
import type { MedicineStatus } from '@clinic/contracts';
import type { Filter } from 'mongodb';
import { nameKeyOf, type MedicineDocument } from './medicine.ts';

/**
 * What a list of medicines asks for. Only the name is searched (specification section 2), anywhere in it; the index on
 * the name is walked for that, never the medicines themselves.
 */
export function medicineFilter({ q, status }: { q?: string | undefined; status?: MedicineStatus | undefined }): Filter<MedicineDocument> {
  return {
    ...(status === undefined ? {} : { status }),
    ...(q ? { nameKey: { $regex: escapeRegex(nameKeyOf(q)) } } : {}),
  };
}

/** The orders a list of medicines can be read in. */
export const medicineSorts = {
  name: { nameKey: 1, _id: 1 },
  expiry: { expiryDate: 1, _id: 1 },
  stock: { quantity: 1, _id: 1 },
} as const;
