import { medicineStatusFor, toMajor, toMinor, type MedicineRecord, type MedicineStatus } from '@clinic/contracts';
import { EJSON } from 'bson';
import { Double, type ObjectId } from 'mongodb';

/** A medicine as the pharmacy keeps it. */
export interface MedicineDocument {
  readonly _id: ObjectId;
  /** The pharmacy's own number, unique, e.g. `MED-0037`. */
  readonly medicineId: string;
  readonly name: string;
  /** The name in lower case: what searches match and lists sort by. */
  readonly nameKey: string;
  readonly manufacturer: string;
  /** Units on hand; never negative. */
  readonly quantity: number;
  readonly unit: string;
  /** 'yyyy-mm-dd'; sellable up to and including this day. */
  readonly expiryDate: string;
  /** Minor currency units. */
  readonly priceMinor: number;
  /** Follows from `quantity` and is changed in the same transaction. */
  readonly status: MedicineStatus;
  readonly pharmacistEmail: string;
  /** 'yyyy-mm-dd' */
  readonly addedDate: string;
}

/** What somebody states about a medicine; everything else follows. */
export interface MedicineDetails {
  readonly medicineId: string;
  readonly name: string;
  readonly manufacturer: string;
  readonly quantity: number;
  readonly unit: string;
  readonly expiryDate: string;
  /** Decimal amount, at most two decimals. */
  readonly pricePerUnit: number;
}

export function nameKeyOf(name: string): string {
  return name.toLowerCase();
}

/** The document of a new medicine; its status follows from the stock, whatever the sender says (design section 6). */
export function medicineDocument(
  _id: ObjectId,
  { pricePerUnit, ...details }: MedicineDetails,
  { pharmacistEmail, addedDate, lowStockBelow }: { pharmacistEmail: string; addedDate: string; lowStockBelow: number },
): MedicineDocument {
  return {
    _id,
    ...details,
    nameKey: nameKeyOf(details.name),
    priceMinor: toMinor(pricePerUnit),
    status: medicineStatusFor(details.quantity, lowStockBelow),
    pharmacistEmail,
    addedDate,
  };
}

/** The record as specified (section 3): id, quantity and price travel as canonical extended JSON. */
export function toMedicineRecord(medicine: MedicineDocument): MedicineRecord {
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
    },
    addedDate: medicine.addedDate,
    status: medicine.status,
  };
}

/** `{ $numberDouble: '12.0' }` for 12: canonical extended JSON shows that a number is a double. */
function canonicalDouble(value: number): { $numberDouble: string } {
  return EJSON.serialize(new Double(value), { relaxed: false }) as { $numberDouble: string };
}
