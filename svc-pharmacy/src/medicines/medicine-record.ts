import { toMajor, toMinor } from '@clinic/contracts';
import type { Medicine } from '../contract/schemas.ts';
import { searchKey } from '@clinic/contracts/search-key';
import { searchParts } from '@clinic/service-kit';
import { EJSON } from 'bson';
import { Double, type ObjectId } from 'mongodb';
import { medicineStatusFor, type MedicineStatus } from '../contract/transitions.ts';
import { customerLimit, type HouseholdLimits } from './household-limits.ts';

/** A medicine in the database. */
export interface MedicineRecord {
  readonly _id: ObjectId;
  /** The pharmacy's own number, unique, e.g. `MED-0037`. */
  readonly medicineId: string;
  readonly name: string;
  /** Search key of the name: used by searches and sorting. */
  readonly nameKey: string;
  /** Where a search finds the name; absent in medicines that a replica of the previous release has just written. */
  readonly nameParts?: readonly string[];
  readonly manufacturer: string;
  /** Units on hand; never negative. */
  readonly quantity: number;
  /**
   * Sum of its movements, changed with `quantity`. It differs, or is absent, only until `settleStocks` has seen what a
   * release that doesn't keep movements wrote.
   */
  readonly booked?: number;
  /** Number of its movements, counted by every transaction that moves its stock: it puts them in order. */
  readonly moves?: number;
  readonly unit: string;
  /** 'yyyy-mm-dd'; sellable up to and including this day. */
  readonly expiryDate: string;
  /** Minor currency units. */
  readonly priceMinor: number;
  /** Units that one customer may have on order; if absent, the default of the unit. */
  readonly maxPerCustomer?: number | null;
  /** One of `medicineCategories`; absent or null if no pharmacist has set it. */
  readonly category?: string | null;
  /** Sold only at the counter, to somebody with a prescription; absent or false: the store sells it. */
  readonly prescriptionOnly?: boolean;
  /** Gone from the store and the inventory; absent otherwise, never false. */
  readonly archived?: true;
  /** Derived from `quantity`, and changed in the same transaction. */
  readonly status: MedicineStatus;
  readonly pharmacistEmail: string;
  /** The account that added it; absent if no account did, or it isn't known any more. Not on the wire. */
  readonly pharmacistId?: string;
  /** 'yyyy-mm-dd' */
  readonly addedDate: string;
  /** How often patients have asked for a message when it is back in stock; absent: never. */
  readonly asks?: number;
}

/** Who adds a medicine. */
export interface AddedBy {
  /** Lower case. */
  readonly pharmacistEmail: string;
  /** The account. */
  readonly pharmacistId?: string | undefined;
}

/** The fields a pharmacist enters; everything else is derived. */
export interface MedicineDetails extends Pick<
  MedicineRecord,
  'medicineId' | 'name' | 'manufacturer' | 'quantity' | 'unit' | 'expiryDate'
> {
  /** Decimal amount, at most two decimals. */
  readonly pricePerUnit: number;
  /** Units that one customer may have on order; if absent, the default of the unit. */
  readonly maxPerCustomer?: number | null | undefined;
  /** What it is for. */
  readonly category?: string | null | undefined;
  /** Sold only with a prescription. */
  readonly prescriptionOnly?: boolean | undefined;
}

/** The fields by which a medicine is found and sorted. */
export function nameFields({ name }: Pick<MedicineRecord, 'name'>): Pick<MedicineRecord, 'nameKey' | 'nameParts'> {
  const nameKey = searchKey(name);
  return { nameKey, nameParts: searchParts(nameKey) };
}

/** The document of a new medicine; its status follows from the stock, whatever the client sent. */
export function medicineRecord(
  _id: ObjectId,
  { pricePerUnit, maxPerCustomer, category, prescriptionOnly, ...details }: MedicineDetails,
  { pharmacistEmail, pharmacistId, addedDate, lowStockBelow }: AddedBy & { addedDate: string; lowStockBelow: number },
): MedicineRecord {
  return {
    _id,
    ...details,
    ...nameFields(details),
    priceMinor: toMinor(pricePerUnit),
    ...(typeof maxPerCustomer === 'number' && { maxPerCustomer }),
    ...(typeof category === 'string' && { category }),
    ...(prescriptionOnly && { prescriptionOnly }),
    status: medicineStatusFor(details.quantity, lowStockBelow),
    pharmacistEmail,
    ...(pharmacistId !== undefined && { pharmacistId }),
    addedDate,
  };
}

/** The record in its wire shape: id, quantity and price are canonical extended JSON. @param limits - the defaults */
export function toMedicine(medicine: Omit<MedicineRecord, 'nameParts'>, limits: HouseholdLimits): Medicine {
  return {
    _id: { $oid: medicine._id.toHexString() },
    pharmacistEmail: medicine.pharmacistEmail,
    medicine: {
      medicineId: medicine.medicineId,
      name: medicine.name,
      manufacturer: medicine.manufacturer,
      quantity: { $numberInt: String(medicine.quantity) },
      unit: medicine.unit,
      expiryDate: medicine.expiryDate,
      pricePerUnit: canonicalDouble(toMajor(medicine.priceMinor)),
      ...(typeof medicine.maxPerCustomer === 'number' && { maxPerCustomer: medicine.maxPerCustomer }),
      ...(typeof medicine.category === 'string' && { category: medicine.category }),
      ...(medicine.prescriptionOnly && { prescriptionOnly: true }),
    },
    addedDate: medicine.addedDate,
    status: medicine.status,
    ...(medicine.archived && { archived: true }),
    customerLimit: customerLimit(medicine, limits),
  };
}

/** `{ $numberDouble: '12.0' }` for 12: canonical extended JSON marks a number as a double. */
function canonicalDouble(value: number): { $numberDouble: string } {
  return EJSON.serialize(new Double(value), { relaxed: false }) as { $numberDouble: string };
}
