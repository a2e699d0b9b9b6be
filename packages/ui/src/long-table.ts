/** Rows that are always rendered, and that decide the column widths: more than a page of any paged list. */
const firstRows = 50;
/** Rows rendered together: as many as a phone's processor manages between two frames. */
const rowsOfPart = 10;

/** A table's rows in groups: browsers needn't render those out of view (lists.css). */
export function partsOf<Row>(rows: readonly Row[]): (readonly Row[])[] {
  const parts = rows.length === 0 ? [] : [rows.slice(0, firstRows)];
  for (let from = firstRows; from < rows.length; from += rowsOfPart) parts.push(rows.slice(from, from + rowsOfPart));
  return parts;
}

/**
 * Gives all groups of a long table the column widths that its first rows have as an ordinary table, at each width of its
 * container. Only rows with fixed columns can be left unrendered: an ordinary table needs all rows to find a column's width.
 *
 * @returns a function that stops it
 */
export function fixColumns(table: HTMLTableElement): () => void {
  const frame = table.parentElement;
  const first = table.tBodies[0];
  // jsdom doesn't measure.
  if (!frame || !first || typeof ResizeObserver !== 'function') return () => {};
  let width = 0;
  const fix = () => {
    if (frame.clientWidth === width) return;
    width = frame.clientWidth;
    table.dataset['long'] = 'measured';
    const columns = [...(table.tHead?.rows[0]?.cells ?? [])].map((cell) => cell.getBoundingClientRect().width);
    // Set explicitly: Chromium uses old widths of unrendered groups instead of adding up the columns.
    table.style.setProperty('--ui-width', `${table.getBoundingClientRect().width}px`);
    table.style.setProperty('--ui-columns', columns.map((size) => `minmax(${size}px, ${size}fr)`).join(' '));
    table.style.setProperty(
      '--ui-part',
      `${(first.getBoundingClientRect().height / first.rows.length) * rowsOfPart}px`,
    );
    table.dataset['long'] = 'fixed';
  };
  fix();
  const observer = new ResizeObserver(fix);
  observer.observe(frame);
  return () => {
    observer.disconnect();
    delete table.dataset['long'];
  };
}
