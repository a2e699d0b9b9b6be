import { toCsv, withoutMark } from './csv.ts';

test('begins with a byte order mark and ends every line as spreadsheets expect', () => {
  expect(
    toCsv([
      ['Day', 'Naïve ☂'],
      ['2026-11-20', 3],
    ]),
  ).toBe('\u{FEFF}Day,Naïve ☂\r\n2026-11-20,3\r\n');
});

test.each([
  ['a,b', '"a,b"'],
  ['say "Ah"', '"say ""Ah"""'],
  ['two\nlines', '"two\nlines"'],
  [' padded', '" padded"'],
  ['', ''],
  ['Dr. O’Neil', 'Dr. O’Neil'],
])('a cell that says %j can be read back', (value, written) => {
  expect(toCsv([[value]])).toBe(`\u{FEFF}${written}\r\n`);
});

test.each([
  '=1+1',
  '+880 1555',
  '-1',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '\n=1',
  '＝1',
  "'=1",
  "=cmd|' /C calc'!A0",
  '=HYPERLINK("http://x","y")',
])('the cell %j is not a formula', (value) => {
  expect(toCsv([[value]])).toBe(`\u{FEFF}"'${value.replaceAll('"', '""')}"\r\n`);
  expect(withoutMark(`'${value}`)).toBe(value);
});

test('numbers stay numbers, negative ones too, and text with such a character inside stays unchanged', () => {
  expect(toCsv([[-5, 0.1, 'a=b', 'mail@x.example']])).toBe('\u{FEFF}-5,0.1,a=b,mail@x.example\r\n');
});
