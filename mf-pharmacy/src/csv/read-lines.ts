import { maxImportLines } from '@clinic/contracts/limits';
import Papa from 'papaparse';
import { columnNames, type BadField, type Field, type ImportedMedicine, type ImportLine } from './lines.ts';

export interface ReadFile {
  readonly lines: readonly ImportLine[];
  readonly bad: readonly BadField[];
}

const fields = Object.keys(columnNames) as Field[];
const needed: readonly Field[] = ['name', 'quantity', 'expiryDate', 'pricePerUnit'];

/** How else people head these columns, without blanks and in lower case. */
const otherNames: Readonly<Record<string, Field>> = {
  id: 'medicineId', number: 'medicineId', medicine: 'name', medicinename: 'name', stock: 'quantity', expiry: 'expiryDate', expires: 'expiryDate', price: 'pricePerUnit',
};

/** A file that can't be read as a list of medicines at all. */
export class UnreadableFile extends Error {}

/**
 * Reads a CSV file with a header line. Columns may come in any order and others are ignored.
 *
 * @throws UnreadableFile saying why, where no line can be read
 */
export function readLines(text: string): ReadFile {
  const rows = splitRows(text.replace(/^\uFEFF/, ''));
  const [header, ...body] = rows;
  if (!header || body.length === 0) throw new UnreadableFile('The file has no lines below its header.');
  if (body.length > maxImportLines) throw new UnreadableFile(`The file has ${count(body.length)} lines; at most ${count(maxImportLines)} can be imported at once.`);
  const columns = header.cells.map(fieldOf);
  const missing = needed.filter((field) => !columns.includes(field)).map((field) => columnNames[field]);
  if (missing.length > 0) throw new UnreadableFile(`The header has no column ${missing.map((name) => `“${name}”`).join(', ')}.`);

  const lines: ImportLine[] = [];
  const bad: BadField[] = [];
  const firstWith = new Map<string, number>();
  for (const { line, cells, error } of body) {
    const texts = Object.fromEntries(fields.map((field) => [field, cellOf(cells, columns.indexOf(field))])) as Record<Field, string>;
    const { medicineId } = texts;
    const sameId = medicineId === '' ? undefined : firstWith.get(medicineId);
    if (error !== undefined) bad.push({ line, field: 'Line', message: error, value: cells.join(', ').slice(0, 80) });
    else if (sameId !== undefined) bad.push({ line, field: columnNames.medicineId, message: `The id ${medicineId} is in line ${sameId} already`, value: medicineId });
    else {
      if (medicineId !== '') firstWith.set(medicineId, line);
      lines.push({ line, medicine: medicineOf(texts) });
    }
  }
  return { lines, bad };
}

interface RawRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly error: string | undefined;
}

function splitRows(text: string): RawRow[] {
  const rows: RawRow[] = [];
  let line = 1;
  let position = 0;
  Papa.parse<string[]>(text, {
    // Row by row, as only then the parser tells where each begins: a quoted cell may go over several lines.
    step: ({ data, errors, meta }) => {
      if (data.some((cell) => cell.trim() !== '')) rows.push({ line, cells: data, error: errors.find(({ type }) => type === 'Quotes') && 'A quotation mark is not closed' });
      for (; position < meta.cursor; position += 1) if (text[position] === '\n' || (text[position] === '\r' && text[position + 1] !== '\n')) line += 1;
    },
  });
  return rows;
}

function fieldOf(heading: string): Field | undefined {
  const plain = heading.toLowerCase().replace(/[^a-z]/g, '');
  return fields.find((field) => field.toLowerCase() === plain) ?? otherNames[plain];
}

/** Our own export marks cells that a spreadsheet would take for a formula; the mark isn't part of the value. */
function cellOf(cells: readonly string[], column: number): string {
  return (cells[column] ?? '').replace(/^'(?=[=+\-@\t\r])/, '').trim();
}

function medicineOf({ medicineId, name, manufacturer, quantity, unit, expiryDate, pricePerUnit }: Record<Field, string>): ImportedMedicine {
  return {
    ...(medicineId && { medicineId }), name, manufacturer, expiryDate, quantity: numberOf(quantity), pricePerUnit: numberOf(pricePerUnit),
    ...(unit && { unit: unit.toLowerCase() as ImportedMedicine['unit'] }),
  };
}

/** What isn't written as a number stays a text, which the server refuses by name. */
function numberOf(text: string): number | string {
  return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function count(lines: number): string {
  return lines.toLocaleString('en');
}
