import { toMajor } from '@clinic/contracts/money';
import Papa from 'papaparse';
import type { Medicine } from '../medicines/medicine.ts';
import { formula } from './formula-mark.ts';
import { columnNames } from './lines.ts';

const columns = [...Object.values(columnNames), 'Status'];

/** The inventory as CSV that the import reads again. A cell that a spreadsheet would take for a formula gets an apostrophe in front. */
export function writeCsv(medicines: readonly Medicine[]): string {
  const rows = medicines.map(({ medicineId, name, manufacturer, quantity, unit, expiryDate, priceMinor, maxPerCustomer, status }) => [
    medicineId, name, manufacturer, quantity, unit, expiryDate, toMajor(priceMinor), maxPerCustomer ?? '', status,
  ]);
  // Only the beginning of a cell counts: the library's own pattern overlooks a formula with a line break in it.
  const text = Papa.unparse({ fields: columns, data: rows }, { escapeFormulae: formula, newline: '\r\n' });
  // The mark at the beginning tells spreadsheets that it is UTF-8.
  return `\u{FEFF}${text}\r\n`;
}
