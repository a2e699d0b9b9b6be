import { mostHistoryEntries } from '@clinic/contracts/limits';
import { render, screen } from '@testing-library/react';
import { EarlierChanges } from './earlier-changes.tsx';

const entry = { at: '2026-11-20T10:00:00.000Z', action: 'status changed', before: {}, after: {} };
const entries = (length: number) => Array.from({ length }, () => entry);

test('says so if a record has more history than is shown', () => {
  render(<EarlierChanges entries={entries(mostHistoryEntries)} />);
  expect(screen.getByText('These are the latest 200 changes. Admins find earlier ones in History.')).toBeTruthy();
});

test.each([
  ['there are fewer', entries(mostHistoryEntries - 1)],
  ['the first is there', [...entries(mostHistoryEntries - 1), { ...entry, before: null }]],
])('says nothing if %s', (_case, shown) => {
  const { container } = render(<EarlierChanges entries={shown} />);
  expect(container.innerHTML).toBe('');
});
