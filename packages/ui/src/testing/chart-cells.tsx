import { screen } from '@testing-library/dom';

/** The cells of a chart's table, row by row, as they are read, once it is there. */
export async function cellsOf(title: string): Promise<string[][]> {
  // Not by role: what a role takes to be found in hundreds of rows is most of such a test's time.
  const caption = await screen.findByText(title, { selector: 'caption' }, { timeout: 10_000 });
  return [...(caption.closest('table')?.tBodies[0]?.rows ?? [])].map((row) => [...row.cells].map((cell) => cell.textContent));
}
