import { render, screen } from '@testing-library/react';
import { DataTable, type Column } from './data-table.tsx';
import { partsOf } from './long-table.ts';

const figures = (count: number) => Array.from({ length: count }, (_, index) => index);

test('keeps the rows of a normal page together, and splits longer lists without losing rows', () => {
  expect(partsOf([])).toEqual([]);
  expect(partsOf(figures(50))).toEqual([figures(50)]);
  const parts = partsOf(figures(75));
  expect(parts.map(({ length }) => length)).toEqual([50, 10, 10, 5]);
  expect(parts.flat()).toEqual(figures(75));
});

test('exposes every row of a long list as a row, for assistive technology too', () => {
  render(
    <DataTable
      caption="Figures"
      columns={columnsWith(() => {})}
      rows={figures(120)}
      rowKey={String}
      empty={{ title: 'None' }}
    />,
  );
  expect(screen.getAllByRole('row')).toHaveLength(121);
  const table = screen.getByRole('table', { name: 'Figures' });
  expect([
    table.getAttribute('role'),
    table.querySelector('tbody th')?.getAttribute('role'),
    table.querySelector('tbody td')?.getAttribute('role'),
  ]).toEqual(['table', 'rowheader', 'cell']);
});

test('doesn’t render rows for unrelated changes, and only renders the row that changed', () => {
  const drawn = jest.fn();
  const columns = columnsWith(drawn);
  const show = (rows: readonly number[]) => (
    <DataTable
      caption="Figures"
      columns={columns}
      rows={rows}
      rowKey={(row) => String(row % 1000)}
      empty={{ title: 'None' }}
    />
  );
  const { rerender } = render(show(figures(120)));
  drawn.mockClear();
  rerender(show(figures(120)));
  expect(drawn).not.toHaveBeenCalled();
  rerender(show(figures(120).map((figure) => (figure === 77 ? 1077 : figure))));
  expect(drawn.mock.calls).toEqual([[1077]]);
});

function columnsWith(drawn: (row: number) => void): readonly Column<number>[] {
  return [
    { key: 'figure', header: 'Figure', primary: true, cell: (row) => row },
    {
      key: 'square',
      header: 'Square',
      cell: (row) => {
        drawn(row);
        return row * row;
      },
    },
  ];
}
