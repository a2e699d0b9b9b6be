/**
 * What a spreadsheet would take for a formula (`=`, `+`, `-`, `@`, also full-width, tab, line break; OWASP, "CSV Injection"), also behind
 * apostrophes: those would otherwise be read back as marks.
 */
export const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** The value of a cell without the apostrophe that the export puts before a {@link formula}. */
export function withoutMark(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
