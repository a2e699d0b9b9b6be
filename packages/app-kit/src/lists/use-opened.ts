import { useState } from 'react';

/**
 * The record that a dialog was opened for, as its list has it now; once the list no longer has it, as it last had it. Dialogs
 * stand outside the rows: rows are replaced while somebody reads or types.
 *
 * @param rows - the list's rows; each keeps its identity until it changes
 * @param keyOf - what doesn't change while a record does
 * @returns the record, and what opens a dialog for another one or, without one, closes it
 */
export function useOpened<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): readonly [opened: Row | undefined, open: (row?: Row) => void] {
  const [known, open] = useState<Row>();
  const listed = known && rows.find((row) => keyOf(row) === keyOf(known));
  if (listed && listed !== known) open(listed);
  return [listed ?? known, open];
}
