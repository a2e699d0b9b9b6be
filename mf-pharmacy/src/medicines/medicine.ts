import { addDays, nearExpiryDays, sellableStatuses, toMinor, type MedicineRecord, type MedicineStatus } from '@clinic/contracts';

/** A medicine as the screens work with it: plain numbers instead of the wire's extended JSON. */
export interface Medicine {
  readonly id: string;
  /** The pharmacy's number, e.g. `MED-0037`. */
  readonly medicineId: string;
  readonly name: string;
  readonly manufacturer: string;
  /** Units on hand. */
  readonly quantity: number;
  readonly unit: string;
  /** 'yyyy-mm-dd' */
  readonly expiryDate: string;
  /** Minor currency units for one unit. */
  readonly priceMinor: number;
  /** Units that one customer may have on order; `undefined`: nobody said. */
  readonly customerLimit: number | undefined;
  /** The same as a pharmacist set it for this medicine; `null`: the usual limit of the unit holds. */
  readonly maxPerCustomer: number | null;
  readonly status: MedicineStatus;
}

export function readMedicine({ _id, medicine, status, customerLimit }: MedicineRecord): Medicine {
  const { medicineId, name, manufacturer, quantity, unit, expiryDate, pricePerUnit, maxPerCustomer = null } = medicine;
  return {
    id: _id.$oid, medicineId, name, manufacturer, unit, expiryDate, status, customerLimit, maxPerCustomer,
    quantity: Number(quantity.$numberInt),
    priceMinor: toMinor(Number(pricePerUnit.$numberDouble)),
  };
}

/** Sellable up to and including the day on the package. */
export function isExpired({ expiryDate }: Pick<Medicine, 'expiryDate'>, today: string): boolean {
  return expiryDate < today;
}

/** Still sellable, but for at most `nearExpiryDays` more days. */
export function expiresSoon({ expiryDate }: Pick<Medicine, 'expiryDate'>, today: string): boolean {
  return expiryDate >= today && expiryDate <= addDays(today, nearExpiryDays);
}

/** Why a medicine can't be put into the cart; `undefined` when it can. */
export function whyNotSellable(medicine: Pick<Medicine, 'expiryDate' | 'status'>, today: string): 'Expired' | 'Out of stock' | undefined {
  if (isExpired(medicine, today)) return 'Expired';
  return (sellableStatuses as readonly MedicineStatus[]).includes(medicine.status) ? undefined : 'Out of stock';
}

/** 'In Stock' for 'in stock', as screens write it. */
export const statusLabels: Readonly<Record<MedicineStatus, string>> = {
  'in stock': 'In Stock',
  'out of stock': 'Out of Stock',
  'low stock': 'Low Stock',
};
