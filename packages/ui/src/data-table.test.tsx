import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { DataTable, type Column, type DataTableProps } from './data-table.tsx';
import { pretendMedia } from './testing/media.ts';

interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: string;
}

const columns: readonly Column<Person>[] = [
  { key: 'name', header: 'Name', primary: true, cell: (person) => person.name },
  { key: 'read', header: 'Role', only: 'table', cell: (person) => `${person.role} (read)` },
  { key: 'edit', header: 'Role', only: 'card', cell: (person) => `${person.role} (edit)` },
];
const people: readonly Person[] = [
  { id: '1', name: 'Amina', role: 'patient' },
  { id: '2', name: 'Omar', role: 'doctor' },
];

function show(more: Partial<DataTableProps<Person>>) {
  return render(
    <DataTable
      caption="People"
      columns={columns}
      rows={people}
      rowKey={(person) => person.id}
      empty={{ title: 'Nobody yet' }}
      {...more}
    />,
  );
}

beforeEach(() => pretendMedia(false));

test('is a table with caption, column and row headers', () => {
  show({});
  const table = screen.getByRole('table', { name: 'People' });
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map((header) => header.textContent),
  ).toEqual(['Name', 'Role']);
  within(table).getByRole('rowheader', { name: 'Omar' });
  within(table).getByText('doctor (read)');
});

test('becomes a list of cards on narrow screens, with what only cards show', () => {
  pretendMedia(true);
  show({});
  expect(screen.queryByRole('table')).toBeNull();
  const cards = within(screen.getByRole('list', { name: 'People' })).getAllByRole('listitem');
  expect(cards.map((card) => card.textContent)).toEqual(['AminaRolepatient (edit)', 'OmarRoledoctor (edit)']);
});

test('shows that it is loading', () => {
  const { container } = show({ rows: undefined });
  screen.getByText('Loading...');
  expect(container.firstElementChild?.getAttribute('aria-busy')).toBe('true');
});

test('keeps existing rows while newer ones load or fail to load', () => {
  show({ loading: true });
  screen.getByText('Amina');
  show({ error: 'Error loading people' });
  expect(screen.getAllByText('Amina')).toHaveLength(2);
});

test('shows what failed and retries', async () => {
  const onRetry = jest.fn();
  show({ rows: undefined, loading: false, error: 'Error loading people', onRetry });
  expect(screen.getByRole('alert').textContent).toContain('Error loading people');
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(onRetry).toHaveBeenCalledTimes(1);
});

test('shows that there is nothing', () => {
  show({ rows: [] });
  screen.getByText('Nobody yet');
  expect(screen.queryByRole('table')).toBeNull();
});
