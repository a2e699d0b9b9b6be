/**
 * What a spreadsheet would treat as a formula (`=`, `+`, `-`, `@`, also full-width, tab, line break; OWASP, "CSV
 * Injection"), also after apostrophes, which would otherwise be read back as marks.
 */
export const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** A cell's value without the apostrophe that the export puts before a {@link formula}. */
export function withoutMark(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
