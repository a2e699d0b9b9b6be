import { medicineCategories, medicineUnits } from '@clinic/svc-pharmacy/contract/limits';
import fc from 'fast-check';
import Papa from 'papaparse';
import type { Medicine } from '../medicines/medicine.ts';
import { decodeFile, UnreadableFile } from './decode-file.ts';
import { readLines } from './read-lines.ts';
import { writeCsv } from './write-csv.ts';

/** A line as it is read: of no manufacturer, four units, until New Year's Day 2027. */
const lineOf = (line: number, medicine: object) => ({
  line,
  medicine: { manufacturer: '', quantity: 4, expiryDate: '2027-01-01', ...medicine },
});
const header = 'Name,Manufacturer,Quantity,Unit,Expiry date,Price per unit,Medicine ID';

test('reads columns by header name, in any order and spelling, and ignores other columns', () => {
  const { lines, bad } = readLines('price;Shelf;NAME;expiry_date;stock\n2.50;A4;Aspirin;2027-05-31;40\n');
  expect(bad).toEqual([]);
  expect(lines).toEqual([lineOf(2, { name: 'Aspirin', quantity: 40, expiryDate: '2027-05-31', pricePerUnit: 2.5 })]);
});

test('numbers lines by where they begin in the file, also after cells with line breaks and blank lines', () => {
  const { lines } = readLines(
    `\u{FEFF}${header}\r\n"Aloe\r\ngel",M,1,Box,2027-01-01,1,A\r\n\r\n,,,,,,\r\nZinc,M,x,,2027-01-01,1.5,\r\n`,
  );
  expect(lines.map(({ line, medicine }) => [line, medicine.name, medicine.quantity, medicine.unit])).toEqual([
    [2, 'Aloe\ngel', 1, 'box'],
    [6, 'Zinc', 'x', undefined],
  ]);
});

test('reports errors only visible in the whole file: a duplicate id, an unclosed quotation mark', () => {
  const { lines, bad } = readLines(
    `${header}\nA,,1,box,2027-01-01,1,X-1\nB,,1,box,2027-01-01,1,X-1\n"C,,1,box,2027-01-01,1,X-2\n`,
  );
  expect(lines.map(({ line }) => line)).toEqual([2]);
  expect(bad.map(({ line, field, message }) => [line, field, message])).toEqual([
    [3, 'Medicine ID', 'The ID X-1 is already on line 2. Give one of them another ID'],
    [4, 'Line', 'A closing quotation mark is missing'],
  ]);
});

test.each([
  ['', 'no lines'],
  [header, 'no lines'],
  ['Name,Quantity,Expiry date,Price,price per unit\nA,1,2027-01-01,1,2', 'two columns for “Price per unit”'],
  ['Name,Price\nA,1', '“Quantity”, “Expiry date”'],
  [`${header}\n${'A,,1,box,2027-01-01,1,\n'.repeat(10_001)}`, 'at most 10,000'],
])('a file that isn’t a list of medicines is rejected as a whole', (text, reason) => {
  expect(() => readLines(text)).toThrow(UnreadableFile);
  expect(() => readLines(text)).toThrow(reason);
});

const medicine = (name: string, more: Partial<Medicine> = {}): Medicine => ({
  id: 'a'.repeat(24),
  medicineId: 'MED-1',
  name,
  manufacturer: 'Maker, "Ltd"',
  quantity: 4,
  unit: 'box',
  expiryDate: '2027-05-31',
  priceMinor: 1250,
  customerLimit: 10,
  maxPerCustomer: null,
  status: 'low stock',
  ...more,
});

test('a cell that a spreadsheet would run is neutralised in the export', () => {
  const names = ["=cmd|' /C calc'!A0", '+1', '-1', '@SUM(A1)', '\tx', '\rx', '=1\n+2'];
  const cells = writeCsv(names.map((name) => medicine(name)))
    .split('"')
    .filter((cell) => cell.startsWith("'"));
  expect(cells).toEqual(names.map((name) => `'${name}`));
  expect(writeCsv([medicine('Aspirin = good')])).toContain(',Aspirin = good,');
});

test('an export reads back unchanged', () => {
  const text = writeCsv([medicine('=cmd()'), medicine('Ünit ☂, "x"', { medicineId: 'MED-2', priceMinor: 8 })]);
  expect(text.split('\r\n')[0]).toBe(
    '\u{FEFF}Medicine ID,Name,Manufacturer,Quantity,Unit,Expiry date,Price per unit,Most per customer,Category,Prescription only,Status',
  );
  const exported = { manufacturer: 'Maker, "Ltd"', unit: 'box', expiryDate: '2027-05-31' };
  expect(readLines(text)).toEqual({
    bad: [],
    lines: [
      lineOf(2, { ...exported, medicineId: 'MED-1', name: '=cmd()', pricePerUnit: 12.5 }),
      lineOf(3, { ...exported, medicineId: 'MED-2', name: 'Ünit ☂, "x"', pricePerUnit: 0.08 }),
    ],
  });
});

test('a line with more cells than the header is bad, so that no figure gets lost in the extra cells', () => {
  const { lines, bad } = readLines(
    'Name,Expiry date,Quantity,Price\nA,2027-01-01,4,2,50\nB, Ltd,2027-01-01,4,2\nC,2027-01-01,4,2,\n"D, Ltd",2027-01-01,4,"2,50"\n',
  );
  const message =
    'The line has 5 values, but the header has 4. Put quotation marks around values that contain the separator';
  expect(bad).toEqual([
    { line: 2, field: 'Line', message, value: 'A, 2027-01-01, 4, 2, 50' },
    { line: 3, field: 'Line', message, value: 'B,  Ltd, 2027-01-01, 4, 2' },
    { line: 4, field: 'Line', message, value: 'C, 2027-01-01, 4, 2, ' },
  ]);
  expect(lines).toEqual([lineOf(5, { name: 'D, Ltd', pricePerUnit: 2.5 })]);
});

test.each([
  ['2,50', 2.5],
  ['2,5', 2.5],
  ['1250,00', 1250],
  ['0,125', 0.125],
  ['2.50', 2.5],
  ['1.250,00', '1.250,00'],
  ['1,2,3', '1,2,3'],
  ['two', 'two'],
])('reads a price of %s in a file with semicolons', (price, value) => {
  expect(readLines(`Name;Quantity;Expiry date;Price\nA;4;2027-01-01;${price}`)).toEqual({
    bad: [],
    lines: [lineOf(2, { name: 'A', pricePerUnit: value })],
  });
});

test.each([
  [';', '1.250', '4', 'Price per unit', '“1.250” could mean 1250 or 1.25. Enter one of these'],
  [';', '1,250', '4', 'Price per unit', '“1,250” could mean 1250 or 1.25. Enter one of these'],
  [',', '2.50', '1.000', 'Quantity', '“1.000” could mean 1000 or 1. Enter one of these'],
  [';', '2,50', '12,000', 'Quantity', '“12,000” could mean 12000 or 12. Enter one of these'],
])('an ambiguous number isn’t guessed (%s %s %s)', (delimiter, price, quantity, field, message) => {
  const { lines, bad } = readLines(
    `Name,Quantity,Expiry date,Price\nA,${quantity},2027-01-01,`
      .replaceAll(',', delimiter)
      .concat(price)
      .replace(quantity.replaceAll(',', delimiter), quantity),
  );
  expect([lines, bad]).toEqual([[], [{ line: 2, field, message, value: field === 'Quantity' ? quantity : price }]]);
});

const bytes = (...parts: (string | readonly number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)));
const utf16 = (text: string, bigEndian: boolean) =>
  text
    .split('')
    .flatMap((half) => [half.charCodeAt(0) & 0xff, half.charCodeAt(0) >> 8])
    .map((_, at, all) => all[bigEndian ? at ^ 1 : at] ?? 0);

test('a file is decoded in its actual encoding, never with replacement characters', () => {
  expect(decodeFile(bytes('Café য়'))).toEqual({ text: 'Café য়', guessed: false });
  expect(decodeFile(bytes([0xef, 0xbb, 0xbf], 'Café'))).toEqual({ text: 'Café', guessed: false });
  for (const bigEndian of [false, true])
    expect(decodeFile(bytes(utf16('\u{FEFF}Café য়', bigEndian)))).toEqual({ text: 'Café য়', guessed: false });
  expect(decodeFile(bytes('Caf', [0xe9], ' 5 ', [0x80]))).toEqual({ text: 'Café 5 €', guessed: true });
  // UTF-16 without a byte order mark, UTF-8 with a false one, a byte undefined in Windows-1252, an image.
  for (const file of [
    bytes(utf16('Name', false)),
    bytes([0xef, 0xbb, 0xbf], 'Caf', [0xe9]),
    bytes('x', [0x81]),
    bytes([0x89], 'PNG', [0, 0]),
  ])
    expect(() => decodeFile(file)).toThrow('Save it as “CSV UTF-8”');
});

/**
 * Names as a service accepts them: printable, without surrounding whitespace; often with characters special to CSV and
 * spreadsheets.
 */
const names = fc
  .oneof(
    fc.string({ unit: fc.constantFrom(...`"'=+-@＝,;|\t ^$a1é`.split('')), minLength: 1, maxLength: 12 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
    fc.constantFrom("'=", '"||', "''", '""', "'=cmd()", "''+1", 'য়', '"', ';;;', '||||'),
  )
  .map((name) => name.trim())
  .filter((name) => name !== '' && !/[\p{Cc}\p{Cs}]/u.test(name));

const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const medicines = fc.uniqueArray(
  fc.record({
    medicineId: names.filter((id) => !id.includes(',') && id.length <= 40),
    name: names,
    manufacturer: fc.oneof(names, fc.constant('')),
    expiryDate: day,
    quantity: fc.nat(1_000_000),
    priceMinor: fc.nat(100_000_000),
    unit: fc.constantFrom(...medicineUnits),
    category: fc.constantFrom(null, ...medicineCategories),
    prescriptionOnly: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8, selector: ({ medicineId }) => medicineId },
);
const asLine = (
  {
    priceMinor,
    category,
    prescriptionOnly,
    ...rest
  }: Omit<Medicine, 'id' | 'status' | 'customerLimit' | 'maxPerCustomer'>,
  index: number,
) => ({
  line: index + 2,
  medicine: {
    ...rest,
    ...(category && { category }),
    ...(prescriptionOnly && { prescriptionOnly }),
    pricePerUnit: priceMinor / 100,
  },
});

test('every export can be imported unchanged', () => {
  fc.assert(
    fc.property(medicines, (listed) => {
      const text = writeCsv(listed.map((each) => medicine(each.name, each)));
      // No cell would run in a spreadsheet.
      for (const cell of Papa.parse<string[]>(text, { delimiter: ',' }).data.flat())
        expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
      expect(readLines(text)).toEqual({ bad: [], lines: listed.map(asLine) });
    }),
    { numRuns: 500 },
  );
});

test('the same lines are read whatever the separators, quotes, line ends and encoding', () => {
  const shape = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    quoteAll: fc.boolean(),
    comma: fc.boolean(),
    encoding: fc.constantFrom('utf-8', 'marked', 'utf-16le', 'utf-16be'),
  });
  const ends = fc.infiniteStream(fc.constantFrom('\n', '\r\n', '\r'));
  fc.assert(
    fc.property(medicines, shape, ends, (listed, { delimiter, quoteAll, comma, encoding }, lineEnds) => {
      const cell = (value: string) => (quoteAll || /["\t,;|]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
      const price = (minor: number) => (minor / 100).toFixed(2).replace('.', comma ? ',' : '.');
      const rows = [
        ['Medicine ID', 'Name', 'Manufacturer', 'Quantity', 'Unit', 'Expiry date', 'Price per unit', 'Category', 'rx'],
        ...listed.map((each) => [
          // With an extra apostrophe before what looks like a mark, as in the export.
          ...[each.medicineId, each.name, each.manufacturer].map((value) =>
            /^'+[=+\-@＝＋－＠]/.test(value) ? `'${value}` : value,
          ),
          String(each.quantity),
          each.unit,
          each.expiryDate,
          price(each.priceMinor),
          each.category ?? '',
          each.prescriptionOnly ? 'Yes' : '',
        ]),
      ];
      const text = rows.map((row) => row.map(cell).join(delimiter) + (lineEnds.next().value ?? '\n')).join('');
      const file =
        encoding === 'utf-8'
          ? bytes(text)
          : encoding === 'marked'
            ? bytes(`\u{FEFF}${text}`)
            : bytes(utf16(`\u{FEFF}${text}`, encoding === 'utf-16be'));
      expect(readLines(decodeFile(file).text)).toEqual({ bad: [], lines: listed.map(asLine) });
    }),
    { numRuns: 300 },
  );
});

test('a limit per customer is exported and read back; an empty cell means the default', () => {
  const text = writeCsv([medicine('Limited', { maxPerCustomer: 12 }), medicine('Usual', { medicineId: 'MED-2' })]);
  expect(readLines(text).lines.map(({ medicine: read }) => [read.name, read.maxPerCustomer])).toEqual([
    ['Limited', 12],
    ['Usual', undefined],
  ]);
  expect(
    readLines('name,quantity,expiry,price,limit\nA,1,2027-01-01,1,many\nB,1,2027-01-01,1,"1,500"').lines.map(
      ({ medicine: read }) => read.maxPerCustomer,
    ),
  ).toEqual(['many']);
});

test('a category is read in any case of letters; what isn’t one goes to the server, which says so', () => {
  const { lines, bad } = readLines(
    'name;quantity;expiry;price;category\nA;1;2027-01-01;1;PAIN AND FEVER\nB;1;2027-01-01;1;Cough, cold and allergy\nC;1;2027-01-01;1;Sweets\nD;1;2027-01-01;1;\n',
  );
  expect(bad).toEqual([]);
  expect(lines.map(({ medicine: read }) => read.category)).toEqual([
    'Pain and fever',
    'Cough, cold and allergy',
    'Sweets',
    undefined,
  ]);
});
