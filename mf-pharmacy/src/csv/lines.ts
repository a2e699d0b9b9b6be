import type { CallBody } from '@clinic/contracts';

/** A medicine as a request of the import carries it. */
export type ImportedMedicine = CallBody<'importMedicines'>['medicines'][number];

/** A line of the file, read but not judged: that is the server's part. */
export interface ImportLine {
  /** Where it begins in the file, as an editor counts; the header is line 1. */
  readonly line: number;
  readonly medicine: ImportedMedicine;
}

/** What is wrong with one field of a line. */
export interface BadField {
  readonly line: number;
  /** As the file's header calls it. */
  readonly field: string;
  readonly message: string;
  /** What stands there. */
  readonly value: string;
}

/** What a line can say. */
export type Field = 'medicineId' | 'name' | 'manufacturer' | 'quantity' | 'unit' | 'expiryDate' | 'pricePerUnit' | 'maxPerCustomer';

/** The columns of our files, in order. */
export const columnNames: Readonly<Record<Field, string>> = {
  medicineId: 'Medicine ID', name: 'Name', manufacturer: 'Manufacturer', quantity: 'Quantity', unit: 'Unit', expiryDate: 'Expiry date', pricePerUnit: 'Price per unit',
  maxPerCustomer: 'Most per customer',
};
