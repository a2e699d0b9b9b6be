/**
 * Leading characters that make a spreadsheet run a cell, including their full-width forms (OWASP, "CSV Injection"); also after
 * apostrophes, which would otherwise be read back as marks.
 */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** Characters that need quoting (RFC 4180). */
const special = /[",\r\n]|^\s|\s$/;

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = formula.test(value) ? `'${value}` : value;
  return special.test(safe) || safe !== value ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * A table as CSV for spreadsheets: UTF-8 with a byte order mark, and no cell that would run as a formula. Numbers stay
 * numbers, negative ones too.
 *
 * @param rows - the first row holds the column names
 */
export function toCsv(rows: readonly (readonly (string | number)[])[]): string {
  return `\u{FEFF}${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

/** A cell's value without the apostrophe that {@link toCsv} puts before a formula. */
export function withoutMark(value: string): string {
  return value.startsWith("'") && formula.test(value) ? value.slice(1) : value;
}
