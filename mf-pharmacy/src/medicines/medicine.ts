import { knownLabel } from '@clinic/contracts/known-words';
import { addDays, toMinor } from '@clinic/contracts';
import { nearExpiryDays } from '@clinic/svc-pharmacy/contract/limits';
import type { Medicine as WireMedicine } from '@clinic/svc-pharmacy/contract/schemas';
import { sellableStatuses, type MedicineStatus } from '@clinic/svc-pharmacy/contract/transitions';

/** A medicine for the screens: plain numbers instead of the wire's extended JSON. */
export interface Medicine {
  readonly id: string;
  /** The pharmacy's number, e.g. `MED-0037`. */
  readonly medicineId: string;
  readonly name: string;
  readonly manufacturer: string;
  /** Units in stock. */
  readonly quantity: number;
  readonly unit: string;
  /** 'yyyy-mm-dd' */
  readonly expiryDate: string;
  /** Price of one unit in minor currency units. */
  readonly priceMinor: number;
  /** Units one customer may have on order; `undefined` if unknown. */
  readonly customerLimit: number | undefined;
  /** The same as set by a pharmacist for this medicine; `null`: the unit's default. */
  readonly maxPerCustomer: number | null;
  readonly status: MedicineStatus;
  /** What it is for; `null` or absent: not set. */
  readonly category?: string | null;
  /** Sold only at the counter, to somebody with a prescription. */
  readonly prescriptionOnly?: boolean;
  /** Gone from the store and the inventory. */
  readonly archived?: boolean;
}

export function readMedicine({ _id, medicine, status, customerLimit, archived }: WireMedicine): Medicine {
  const {
    quantity,
    pricePerUnit,
    maxPerCustomer = null,
    category = null,
    prescriptionOnly = false,
    ...stated
  } = medicine;
  return {
    ...stated,
    id: _id.$oid,
    status,
    customerLimit,
    maxPerCustomer,
    category,
    prescriptionOnly: prescriptionOnly === true,
    archived: archived === true,
    quantity: Number(quantity.$numberInt),
    priceMinor: toMinor(Number(pricePerUnit.$numberDouble)),
  };
}

/** Can be sold up to and including the day on the package. */
export function isExpired({ expiryDate }: Pick<Medicine, 'expiryDate'>, today: string): boolean {
  return expiryDate < today;
}

/** Whether a medicine that can still be sold expires within `nearExpiryDays`. */
export function expiresSoon({ expiryDate }: Pick<Medicine, 'expiryDate'>, today: string): boolean {
  return expiryDate >= today && expiryDate <= addDays(today, nearExpiryDays);
}

/** What patients read about a medicine that only the counter sells. */
export const needsPrescription = 'Needs a prescription: bring it to our pharmacy counter';

/** Why a medicine can't be added to the cart; `undefined` if it can. */
export function whyNotSellable(
  medicine: Pick<Medicine, 'expiryDate' | 'status' | 'prescriptionOnly'>,
  today: string,
): 'Expired' | 'Out of stock' | typeof needsPrescription | undefined {
  if (isExpired(medicine, today)) return 'Expired';
  if (!(sellableStatuses as readonly MedicineStatus[]).includes(medicine.status)) return 'Out of stock';
  // Last: nobody should come to the counter for what isn't there.
  return medicine.prescriptionOnly ? needsPrescription : undefined;
}

/** 'In Stock' for 'in stock', as shown on screen. */
export const statusLabels: Readonly<Record<MedicineStatus, string>> = {
  'in stock': 'In Stock',
  'out of stock': 'Out of Stock',
  'low stock': 'Low Stock',
};

/** What a medicine's badge says: whatever can't be sold is no longer simply in stock. */
export function statusInWords(medicine: Medicine, today: string): string {
  if (medicine.archived) return 'Archived';
  return isExpired(medicine, today) ? 'Expired' : knownLabel(statusLabels, medicine.status);
}
