import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { useListState } from './use-list-state.ts';

function Search() {
  const list = useListState();
  return (
    <>
      <input aria-label="Search" value={list.text} onChange={(event) => list.setText(event.target.value)} />
      <button type="button" onClick={list.clear}>
        Clear
      </button>
    </>
  );
}

function show(address = '/'): ReturnType<typeof createMemoryRouter> {
  const router = createMemoryRouter([{ path: '/', element: <Search /> }], { initialEntries: [address] });
  render(<RouterProvider router={router} />);
  return router;
}

test('a search field shows a search from the address, and clears it', async () => {
  const router = show('/?q=rafiq&sort=name');
  expect(screen.getByLabelText('Search')).toHaveProperty('value', 'rafiq');
  await userEvent.click(screen.getByText('Clear'));
  expect(router.state.location.search).toBe('?sort=name');
  expect(screen.getByLabelText('Search')).toHaveProperty('value', '');
});

test('a search field keeps what is typed while an earlier search is being rendered', async () => {
  jest.useFakeTimers();
  try {
    const router = show();
    const field = screen.getByLabelText('Search');
    const type = (value: string): boolean => fireEvent.change(field, { target: { value } });
    type('ami');
    // The router renders a new address in a transition, which a keystroke overtakes.
    await act(async () => {
      await jest.advanceTimersByTimeAsync(300);
      type('amina');
    });
    expect(router.state.location.search).toBe('?q=ami');
    expect(field).toHaveProperty('value', 'amina');
    await act(() => jest.advanceTimersByTimeAsync(300));
    expect(router.state.location.search).toBe('?q=amina');
    // Taken back before the search for it has been rendered.
    type('s');
    await act(async () => {
      await jest.advanceTimersByTimeAsync(300);
      type('amina');
    });
    await act(() => jest.advanceTimersByTimeAsync(300));
    expect(router.state.location.search).toBe('?q=amina');
    expect(field).toHaveProperty('value', 'amina');
    await act(() => router.navigate('/?q=s'));
    expect(field).toHaveProperty('value', 's');
  } finally {
    jest.useRealTimers();
  }
});

test('a search field follows the browser’s Back', async () => {
  const router = show('/?q=rafiq');
  await act(() => router.navigate('/?q=sofia'));
  expect(screen.getByLabelText('Search')).toHaveProperty('value', 'sofia');
  await act(() => router.navigate(-1));
  expect(screen.getByLabelText('Search')).toHaveProperty('value', 'rafiq');
});
