import { maxImportLines, medicineCategories } from '@clinic/svc-pharmacy/contract/limits';
import Papa from 'papaparse';
import { withoutMark } from '@clinic/ui/csv';
import { decodeFile, UnreadableFile } from './decode-file.ts';
import { columnNames, type BadField, type Field, type ImportedMedicine, type ImportLine } from './lines.ts';
import { readNumber } from './read-number.ts';

export interface ReadFile {
  readonly lines: readonly ImportLine[];
  readonly bad: readonly BadField[];
}

/**
 * Reads a CSV file of medicines.
 *
 * @returns also its text, which identifies the file
 * @throws UnreadableFile with the reason, if no line can be read
 */
export function readFile(bytes: Uint8Array): ReadFile & { readonly text: string; readonly guessed: boolean } {
  const decoded = decodeFile(bytes);
  return { ...readLines(decoded.text), ...decoded };
}

const fields = Object.keys(columnNames) as Field[];
const needed: readonly Field[] = ['name', 'quantity', 'expiryDate', 'pricePerUnit'];

/** Other common headers for these columns, without whitespace and in lower case. */
const otherNames: Readonly<Record<string, Field>> = {
  mostpercustomer: 'maxPerCustomer',
  prescription: 'prescriptionOnly',
  rx: 'prescriptionOnly',
  limit: 'maxPerCustomer',
  customerlimit: 'maxPerCustomer',
  id: 'medicineId',
  number: 'medicineId',
  medicine: 'name',
  medicinename: 'name',
  stock: 'quantity',
  expiry: 'expiryDate',
  expires: 'expiryDate',
  price: 'pricePerUnit',
};

const delimiters = [',', ';', '\t', '|'];

/**
 * Reads a CSV file with a header line. Columns may come in any order and unknown ones are ignored. A line with more cells
 * than the header is bad, because it is unclear which cell belongs to which column.
 *
 * @throws UnreadableFile with the reason, if no line can be read
 */
export function readLines(text: string): ReadFile {
  // Spreadsheets and editors mix line ends in one file; the parser supports one per file.
  const plain = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const delimiter = delimiterOf(plain);
  const rows = splitRows(plain, delimiter);
  const [header, ...body] = rows;
  if (!header || body.length === 0) throw new UnreadableFile('The file has no lines below its header.');
  if (body.length > maxImportLines)
    throw new UnreadableFile(
      `The file has ${count(body.length)} lines. You can import at most ${count(maxImportLines)} at once.`,
    );
  const columns = header.cells.map(fieldOf);
  const missing = needed.filter((field) => !columns.includes(field)).map((field) => columnNames[field]);
  if (missing.length > 0)
    throw new UnreadableFile(`The header has no column ${missing.map((name) => `“${name}”`).join(', ')}.`);
  const twice = columns.find((field, index) => field && columns.indexOf(field) < index);
  if (twice) throw new UnreadableFile(`The header has two columns for “${columnNames[twice]}”. Remove one of them.`);

  const lines: ImportLine[] = [];
  const bad: BadField[] = [];
  const firstWith = new Map<string, number>();
  for (const { line, cells, error } of body) {
    const reject = (field: string, message: string, value: string) => bad.push({ line, field, message, value });
    if (error !== undefined || cells.length > columns.length) {
      reject('Line', error ?? surplusMessage(cells.length, columns.length), cells.join(', ').slice(0, 80));
      continue;
    }
    const texts = Object.fromEntries(fields.map((field) => [field, cellOf(cells, columns.indexOf(field))])) as Record<
      Field,
      string
    >;
    const { medicineId } = texts;
    const sameId = medicineId === '' ? undefined : firstWith.get(medicineId);
    if (sameId !== undefined) {
      reject(
        columnNames.medicineId,
        `The ID ${medicineId} is already on line ${sameId}. Give one of them another ID`,
        medicineId,
      );
      continue;
    }
    if (medicineId !== '') firstWith.set(medicineId, line);
    // Thousands of units are written with a point or a comma; a quantity has no decimals to confuse them with.
    const quantity = readNumber(texts.quantity, false);
    const pricePerUnit = readNumber(texts.pricePerUnit, delimiter === ',');
    const maxPerCustomer = readNumber(texts.maxPerCustomer, false);
    if ('problem' in quantity) reject(columnNames.quantity, quantity.problem, texts.quantity);
    if ('problem' in pricePerUnit) reject(columnNames.pricePerUnit, pricePerUnit.problem, texts.pricePerUnit);
    if ('problem' in maxPerCustomer) reject(columnNames.maxPerCustomer, maxPerCustomer.problem, texts.maxPerCustomer);
    if ('value' in quantity && 'value' in pricePerUnit && 'value' in maxPerCustomer) {
      lines.push({
        line,
        medicine: medicineOf(texts, {
          quantity: quantity.value,
          pricePerUnit: pricePerUnit.value,
          maxPerCustomer: maxPerCustomer.value,
        }),
      });
    }
  }
  return { lines, bad };
}

interface RawRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly error: string | undefined;
}

/** The separator that yields the most known columns in the header: the cells below must not decide. */
function delimiterOf(text: string): string {
  const [heading = ''] = /^.*\S.*$/m.exec(text) ?? [];
  const known = (delimiter: string) =>
    (Papa.parse<string[]>(heading, { delimiter }).data[0] ?? []).filter((cell) => fieldOf(cell)).length;
  return delimiters.toSorted((a, b) => known(b) - known(a))[0] ?? ',';
}

/**
 * @param text - with `\n` at the end of each line
 */
function splitRows(text: string, delimiter: string): RawRow[] {
  const rows: RawRow[] = [];
  let line = 1;
  let position = 0;
  Papa.parse<string[]>(text, {
    delimiter,
    newline: '\n',
    // Row by row, because only then the parser reports where each begins: a quoted cell may span several lines.
    step: ({ data, errors, meta }) => {
      if (data.some((cell) => cell.trim() !== ''))
        rows.push({
          line,
          cells: data,
          error: errors.find(({ type }) => type === 'Quotes') && 'A closing quotation mark is missing',
        });
      for (; position < meta.cursor; position += 1) if (text[position] === '\n') line += 1;
    },
  });
  return rows;
}

function surplusMessage(cells: number, columns: number): string {
  return `The line has ${cells} values, but the header has ${columns}. Put quotation marks around values that contain the separator`;
}

function fieldOf(heading: string): Field | undefined {
  const plain = heading.toLowerCase().replace(/[^a-z]/g, '');
  return fields.find((field) => field.toLowerCase() === plain) ?? otherNames[plain];
}

function cellOf(cells: readonly string[], column: number): string {
  return withoutMark(cells[column] ?? '').trim();
}

type Figures = Readonly<Record<'quantity' | 'pricePerUnit' | 'maxPerCustomer', number | string>>;

function medicineOf(
  { medicineId, name, manufacturer, unit, expiryDate, category, prescriptionOnly }: Record<Field, string>,
  { quantity, pricePerUnit, maxPerCustomer }: Figures,
): ImportedMedicine {
  return {
    ...(medicineId && { medicineId }),
    name,
    manufacturer,
    expiryDate,
    quantity,
    pricePerUnit,
    // The server gets text that isn't a number unchanged, and names the field in its rejection.
    ...(maxPerCustomer !== '' && { maxPerCustomer: maxPerCustomer as number }),
    ...(category && { category: categoryOf(category) }),
    ...(prescriptionOnly && { prescriptionOnly: isYes(prescriptionOnly) }),
    ...(unit && { unit: unit.toLowerCase() as ImportedMedicine['unit'] }),
  };
}

/** Yes or no, as spreadsheets write them. Other text goes to the server unchanged, which rejects it by name. */
function isYes(text: string): ImportedMedicine['prescriptionOnly'] {
  const word = text.toLowerCase();
  if (['yes', 'y', 'true', '1', 'x'].includes(word)) return true;
  return ['no', 'n', 'false', '0', '-'].includes(word) ? false : (text as unknown as boolean);
}

/** A category in any case of letters. Other text goes to the server unchanged, which rejects it by name. */
function categoryOf(text: string): ImportedMedicine['category'] {
  const known = medicineCategories.find((each) => each.toLowerCase() === text.toLowerCase());
  return known ?? (text as ImportedMedicine['category']);
}

function count(lines: number): string {
  return lines.toLocaleString('en');
}
