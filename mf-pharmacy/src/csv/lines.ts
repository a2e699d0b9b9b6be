import type { CallBody } from '@clinic/contracts';

/** A medicine as in an import request. */
export type ImportedMedicine = CallBody<'importMedicines'>['medicines'][number];

/** A line of the file, parsed but not validated: that is the server's job. */
export interface ImportLine {
  /** Line number where it begins, as in an editor; the header is line 1. */
  readonly line: number;
  readonly medicine: ImportedMedicine;
}

/** An error in one field of a line. */
export interface BadField {
  readonly line: number;
  /** As named in the file's header. */
  readonly field: string;
  readonly message: string;
  /** The cell's content. */
  readonly value: string;
}

/** The fields of a line. */
export type Field =
  | 'medicineId'
  | 'name'
  | 'manufacturer'
  | 'quantity'
  | 'unit'
  | 'expiryDate'
  | 'pricePerUnit'
  | 'maxPerCustomer'
  | 'category'
  | 'prescriptionOnly';

/** The columns of our files, in order. */
export const columnNames: Readonly<Record<Field, string>> = {
  medicineId: 'Medicine ID',
  name: 'Name',
  manufacturer: 'Manufacturer',
  quantity: 'Quantity',
  unit: 'Unit',
  expiryDate: 'Expiry date',
  pricePerUnit: 'Price per unit',
  maxPerCustomer: 'Most per customer',
  category: 'Category',
  prescriptionOnly: 'Prescription only',
};
