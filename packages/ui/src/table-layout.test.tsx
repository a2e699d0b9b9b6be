import { act, render, screen, within } from '@testing-library/react';
import { DataTable, type Column } from './data-table.tsx';
import { RowMenu } from './row-menu.tsx';
import { TableLayoutContext } from './table-layout.ts';
import { pretendMedia } from './testing/media.ts';

interface Person {
  readonly name: string;
  readonly phone: string;
  readonly age: number;
}

const columns: readonly Column<Person>[] = [
  { key: 'name', header: 'Name', primary: true, cell: ({ name }) => name },
  { key: 'age', header: 'Age', foldInto: 'name', foldLabel: 'Age', cell: ({ age }) => age },
  { key: 'phone', header: 'Phone', foldInto: 'name', cell: ({ phone }) => phone },
  {
    key: 'actions',
    header: 'Actions',
    actions: true,
    cell: () => (
      <RowMenu label="More actions" beside={<button type="button">Move</button>}>
        <button type="button">History</button>
      </RowMenu>
    ),
  },
];
const people: readonly Person[] = [{ name: 'Amina', phone: '+880', age: 34 }];

/** Pixels that each column of these tables takes, and the row's action beside its menu. */
const columnWidth = 100;

/** Pixels of the frame's borders. */
const borders = 2;

/** Called when an element's size changes; the table is observed before its container. */
const observers: (() => void)[] = [];

beforeEach(() => {
  pretendMedia(false);
  Reflect.set(
    globalThis,
    'ResizeObserver',
    class {
      readonly #changed: () => void;
      constructor(changed: () => void) {
        this.#changed = changed;
      }
      observe() {
        observers.push(this.#changed);
      }
      disconnect() {
        observers.splice(observers.indexOf(this.#changed), 1);
      }
    },
  );
});
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'ResizeObserver');
  jest.restoreAllMocks();
});

/** @param room - pixels inside the frame */
function measureAt(room: number): void {
  jest.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(room + borders);
  jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockImplementation(function (this: HTMLElement) {
    return this.matches('.ui-table-frame') ? room : room + borders;
  });
  jest.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockImplementation(function (this: HTMLElement) {
    const heads = this.querySelectorAll('th[scope=col]').length;
    const beside = this.querySelector('.ui-row-actions > button:first-child')?.textContent === 'Move' ? 1 : 0;
    // A table takes the whole width of its frame.
    return Math.max((heads + beside) * columnWidth, room);
  });
}

/** @param room - pixels inside the frame */
function showAt(room: number) {
  measureAt(room);
  return render(
    <DataTable
      caption="People"
      columns={columns}
      rows={people}
      rowKey={({ name }) => name}
      empty={{ title: 'None' }}
    />,
  );
}

const headers = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);

test('shows all columns and the row’s action where there is room', () => {
  showAt(500);
  expect(headers()).toEqual(['Name', 'Age', 'Phone', 'Actions']);
  expect(screen.getByRole('button', { name: 'Move' }).closest('[popover]')).toBeNull();
});

test('takes a pixel for rounding, and two for too wide', () => {
  const move = () => screen.getByRole('button', { name: 'Move' }).closest('[popover]');
  const { unmount } = showAt(499);
  expect(move()).toBeNull();
  unmount();
  showAt(498);
  expect(move()).not.toBeNull();
});

test('keeps its columns while a window that still has room for them grows and shrinks', () => {
  showAt(500);
  for (const room of [800, 700, 900, 600]) {
    measureAt(room);
    // A render may observe others.
    const before = [...observers];
    for (const changed of before) act(changed);
  }
  expect(headers()).toEqual(['Name', 'Age', 'Phone', 'Actions']);
  expect(screen.getByRole('button', { name: 'Move' }).closest('[popover]')).toBeNull();
});

test('first puts the action into the menu, then folds the last columns one by one', () => {
  const { unmount } = showAt(400);
  expect(headers()).toEqual(['Name', 'Age', 'Phone', 'Actions']);
  expect(screen.getByRole('button', { name: 'Move' }).closest('[popover]')).not.toBeNull();
  unmount();
  const second = showAt(300);
  expect(headers()).toEqual(['Name', 'Age', 'Actions']);
  expect(screen.getByRole('rowheader').textContent).toBe('AminaPhone +880');
  second.unmount();
  showAt(200);
  expect(headers()).toEqual(['Name', 'Actions']);
  expect(screen.getByRole('rowheader').textContent).toBe('AminaAge 34Phone +880');
});

test('becomes cards where not even that fits', () => {
  showAt(150);
  expect(screen.queryByRole('table')).toBeNull();
  const card = screen.getByRole('listitem');
  within(card).getByText('Phone');
  expect(within(card).queryByRole('button', { name: 'More actions' })).toBeNull();
  within(card).getByRole('button', { name: 'Move' });
});

test('keeps a folded menu on a card, with the first action beside it', () => {
  render(
    <TableLayoutContext value="cards">
      <RowMenu folded label="More actions" beside={<button type="button">Move</button>}>
        <button type="button">History</button>
      </RowMenu>
    </TableLayoutContext>,
  );
  expect(screen.getByRole('button', { name: 'More actions' }).getAttribute('aria-expanded')).toBe('false');
  expect(screen.getByRole('button', { name: 'Move' }).closest('[popover]')).toBeNull();
  expect(screen.getByText('History').closest('[popover]')).not.toBeNull();
});
