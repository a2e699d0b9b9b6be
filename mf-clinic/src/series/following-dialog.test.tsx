import { serveAs } from '@clinic/app-kit/test-gateway';
import { notifications, queryClient, QueryClientProvider, session } from '@clinic/app-kit/host';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { prepareBrowser } from '../testing/browser.ts';
import { appointment, grey } from '../testing/records.ts';
import { FollowingDialog } from './following-dialog.tsx';

const first = appointment({ series: { id: 'e'.repeat(24), number: 1, of: 2 }, you: ['doctor'] });
const second = { ...first, _id: 'b'.repeat(24), date: '2100-01-12' };
let sent: { readonly path: string; readonly body: unknown }[];

prepareBrowser();
beforeEach(async () => {
  sent = [];
  act(() => notifications.set([]));
  serveAs(grey, ({ path, body }) => {
    sent.push({ path, body });
    return Response.json([first, second].map((one) => ({ ...one, time: '11:00' })));
  });
  await session.load();
  render(
    <QueryClientProvider client={queryClient}>
      <FollowingDialog appointment={first} onClose={() => undefined} />
    </QueryClientProvider>,
  );
});

test('a move of a series can be undone, a cancellation can’t', async () => {
  fireEvent.change(screen.getByLabelText('New time'), { target: { value: '11:00' } });
  await userEvent.click(screen.getByRole('button', { name: 'Move appointments' }));
  await waitFor(() => expect(notifications.get().at(-1)?.action?.label).toBe('Undo'));
  await act(async () => void (await notifications.get().at(-1)?.action?.run()));
  const moves = [first, second].map(({ _id: id, date }) => ({
    id,
    seen: { doctoremail: grey.email, date, time: '11:00' },
  }));
  expect(sent.at(-1)).toEqual({ path: '/appoinments/undone', body: { moves } });
  expect(notifications.get().at(-1)?.text).toBe('2 appointments are back');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await userEvent.click(screen.getByRole('button', { name: 'Cancel appointments' }));
  await waitFor(() => expect(notifications.get().at(-1)?.text).toBe('2 appointments cancelled'));
  expect(notifications.get().at(-1)?.action).toBeUndefined();
});
