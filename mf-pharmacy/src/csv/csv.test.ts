import type { Medicine } from '../medicines/medicine.ts';
import { readLines, UnreadableFile } from './read-lines.ts';
import { writeCsv } from './write-csv.ts';

const header = 'Name,Manufacturer,Quantity,Unit,Expiry date,Price per unit,Medicine ID';

test('reads lines by the header’s names, in any order and spelling, and leaves other columns alone', () => {
  const { lines, bad } = readLines('price;Shelf;NAME;expiry_date;stock\n2.50;A4;Aspirin;2027-05-31;40\n');
  expect(bad).toEqual([]);
  expect(lines).toEqual([{ line: 2, medicine: { name: 'Aspirin', manufacturer: '', quantity: 40, expiryDate: '2027-05-31', pricePerUnit: 2.5 } }]);
});

test('a line is named by where it begins in the file, also after cells with line breaks and blank lines', () => {
  const { lines } = readLines(`\u{FEFF}${header}\r\n"Aloe\r\ngel",M,1,Box,2027-01-01,1,A\r\n\r\n,,,,,,\r\nZinc,M,x,,2027-01-01,1.5,\r\n`);
  expect(lines.map(({ line, medicine }) => [line, medicine.name, medicine.quantity, medicine.unit])).toEqual([[2, 'Aloe\r\ngel', 1, 'box'], [6, 'Zinc', 'x', undefined]]);
});

test('what only the file can tell is told: an id twice, an open quotation mark', () => {
  const { lines, bad } = readLines(`${header}\nA,,1,box,2027-01-01,1,X-1\nB,,1,box,2027-01-01,1,X-1\n"C,,1,box,2027-01-01,1,X-2\n`);
  expect(lines.map(({ line }) => line)).toEqual([2]);
  expect(bad.map(({ line, field, message }) => [line, field, message])).toEqual([[3, 'Medicine ID', 'The id X-1 is in line 2 already'], [4, 'Line', 'A quotation mark is not closed']]);
});

test.each([
  ['', 'no lines'], [header, 'no lines'], ['Name,Price\nA,1', '“Quantity”, “Expiry date”'],
  [`${header}\n${'A,,1,box,2027-01-01,1,\n'.repeat(10_001)}`, 'at most 10,000'],
])('a file that is no list of medicines is refused whole', (text, reason) => {
  expect(() => readLines(text)).toThrow(UnreadableFile);
  expect(() => readLines(text)).toThrow(reason);
});

const medicine = (name: string, more: Partial<Medicine> = {}): Medicine => ({
  id: 'a'.repeat(24), medicineId: 'MED-1', name, manufacturer: 'Maker, "Ltd"', quantity: 4, unit: 'box', expiryDate: '2027-05-31', priceMinor: 1250, customerLimit: 10, maxPerCustomer: null, status: 'low stock', ...more,
});

test('a cell that a spreadsheet would run is neutralised in the export', () => {
  const names = ['=cmd|\' /C calc\'!A0', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '=1\n+2'];
  const cells = writeCsv(names.map((name) => medicine(name))).split('"').filter((cell) => cell.startsWith("'"));
  expect(cells).toEqual(names.map((name) => `'${name}`));
  expect(writeCsv([medicine('Aspirin = good')])).toContain(',Aspirin = good,');
});

test('an export is read again as it was', () => {
  const text = writeCsv([medicine('=cmd()'), medicine('Ünit ☂, "x"', { medicineId: 'MED-2', priceMinor: 8 })]);
  expect(text.split('\r\n')[0]).toBe('\u{FEFF}Medicine ID,Name,Manufacturer,Quantity,Unit,Expiry date,Price per unit,Status');
  expect(readLines(text)).toEqual({
    bad: [],
    lines: [
      { line: 2, medicine: { medicineId: 'MED-1', name: '=cmd()', manufacturer: 'Maker, "Ltd"', quantity: 4, unit: 'box', expiryDate: '2027-05-31', pricePerUnit: 12.5 } },
      { line: 3, medicine: { medicineId: 'MED-2', name: 'Ünit ☂, "x"', manufacturer: 'Maker, "Ltd"', quantity: 4, unit: 'box', expiryDate: '2027-05-31', pricePerUnit: 0.08 } },
    ],
  });
});
