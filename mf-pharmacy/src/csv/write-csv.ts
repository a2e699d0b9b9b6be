import { toMajor } from '@clinic/contracts/money';
import Papa from 'papaparse';
import type { Medicine } from '../medicines/medicine.ts';
import { formula } from './formula-mark.ts';
import { columnNames } from './lines.ts';

const columns = [...Object.values(columnNames), 'Status'];

/**
 * The inventory as CSV that the import reads back. A cell that a spreadsheet would treat as a formula gets a leading
 * apostrophe.
 */
export function writeCsv(medicines: readonly Medicine[]): string {
  const rows = medicines.map(
    ({ medicineId, name, manufacturer, quantity, unit, expiryDate, priceMinor, maxPerCustomer, category, status }) => [
      medicineId,
      name,
      manufacturer,
      quantity,
      unit,
      expiryDate,
      toMajor(priceMinor),
      maxPerCustomer ?? '',
      category ?? '',
      status,
    ],
  );
  // Only the start of a cell matters: the library's own pattern misses formulas that contain a line break.
  const text = Papa.unparse({ fields: columns, data: rows }, { escapeFormulae: formula, newline: '\r\n' });
  // Spreadsheets need the byte order mark to read it as UTF-8.
  return `\u{FEFF}${text}\r\n`;
}
