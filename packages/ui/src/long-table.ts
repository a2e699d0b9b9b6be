/** Rows that are always drawn, and decide how wide columns are: more than a page of any list that shows pages. */
const firstRows = 50;
/** Rows that come into sight together: as many as a phone's processor draws between two frames. */
const rowsOfPart = 10;

/** A table's rows in its parts: browsers needn't draw those that are out of sight (lists.css). */
export function partsOf<Row>(rows: readonly Row[]): (readonly Row[])[] {
  const parts = rows.length === 0 ? [] : [rows.slice(0, firstRows)];
  for (let from = firstRows; from < rows.length; from += rowsOfPart) parts.push(rows.slice(from, from + rowsOfPart));
  return parts;
}

/**
 * Gives all parts of a long table the columns that its first rows have as an ordinary table, at each width of its frame.
 * Only rows of fixed columns can be left undrawn: an ordinary table needs all its rows for the width of any column.
 *
 * @returns ends it
 */
export function fixColumns(table: HTMLTableElement): () => void {
  const frame = table.parentElement;
  const first = table.tBodies[0];
  // jsdom measures nothing.
  if (!frame || !first || typeof ResizeObserver !== 'function') return () => {};
  let width = 0;
  const fix = () => {
    if (frame.clientWidth === width) return;
    width = frame.clientWidth;
    table.dataset['long'] = 'measured';
    const columns = [...(table.tHead?.rows[0]?.cells ?? [])].map((cell) => cell.getBoundingClientRect().width);
    // Said outright: Chromium goes by former widths of undrawn parts where it should add up the columns.
    table.style.setProperty('--ui-width', `${table.getBoundingClientRect().width}px`);
    table.style.setProperty('--ui-columns', columns.map((size) => `minmax(${size}px, ${size}fr)`).join(' '));
    table.style.setProperty('--ui-part', `${(first.getBoundingClientRect().height / first.rows.length) * rowsOfPart}px`);
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
