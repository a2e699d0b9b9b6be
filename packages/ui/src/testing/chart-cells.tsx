import { screen } from '@testing-library/dom';

/** The cells of a chart's table, row by row, once it is shown. */
export async function cellsOf(title: string): Promise<string[][]> {
  // Not by role: querying roles in hundreds of rows would take most of such a test's time.
  const caption = await screen.findByText(title, { selector: 'caption' }, { timeout: 10_000 });
  return [...(caption.closest('table')?.tBodies[0]?.rows ?? [])].map((row) =>
    [...row.cells].map((cell) => cell.textContent),
  );
}
