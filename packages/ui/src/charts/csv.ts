/** What a spreadsheet may run when a cell begins with it, also in its full-width forms (OWASP, "CSV Injection"). */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

/** What can't stand in a cell as it is (RFC 4180). */
const special = /[",\r\n]|^\s|\s$/;

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = formula.test(value) ? `'${value}` : value;
  return special.test(safe) || safe !== value ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * A table as CSV for spreadsheets: UTF-8 with the mark that tells them so, and no cell that they would run as a formula.
 * Numbers stay numbers, also below zero.
 *
 * @param rows - the first one has the names of the columns
 */
export function toCsv(rows: readonly (readonly (string | number)[])[]): string {
  return `\u{FEFF}${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

/** Has the browser save a text as a file. @param name - of the file, with `.csv` */
export function saveCsv(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
