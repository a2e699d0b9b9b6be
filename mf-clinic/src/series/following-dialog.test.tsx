import { formatDate, formatTime } from '@clinic/contracts';
import { serveAs } from '@clinic/app-kit/test-gateway';
import { notifications, queryClient, QueryClientProvider, session } from '@clinic/app-kit/host';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { prepareBrowser } from '../testing/browser.ts';
import { appointment, grey } from '../testing/records.ts';
import { FollowingDialog } from './following-dialog.tsx';

const first = appointment({ series: { id: 'e'.repeat(24), number: 1, of: 2 }, you: ['doctor'] });
const second = { ...first, _id: 'b'.repeat(24), date: '2100-01-12' };
type Asked = { readonly to?: { readonly date: string; readonly time: string } };
/** The second has been moved by its patient, to another time. */
const slots = [first, { ...second, time: '15:00' }].map(({ _id, date, time }) => ({ _id, date, time }));
let preview: (asked: Asked) => readonly object[];
let asked: Asked[];
let sent: { readonly path: string; readonly body: unknown }[];

prepareBrowser();
beforeEach(async () => {
  asked = [];
  sent = [];
  preview = ({ to }) => slots.map((one) => ({ ...one, ...(to && { to: { ...to, date: one.date } }) }));
  act(() => notifications.set([]));
  serveAs(grey, ({ path, body }) => {
    if (path.endsWith('/preview')) {
      asked.push(body as Asked);
      return Response.json({ visits: preview(body as Asked) });
    }
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
  await userEvent.click(await screen.findByRole('button', { name: 'Move 2 appointments' }));
  await waitFor(() => expect(notifications.get().at(-1)?.action?.label).toBe('Undo'));
  await act(async () => void (await notifications.get().at(-1)?.action?.run()));
  const moves = [first, second].map(({ _id: id, date }) => ({
    id,
    seen: { doctoremail: grey.email, date, time: '11:00' },
  }));
  expect(sent.at(-1)).toEqual({ path: '/appoinments/undone', body: { moves } });
  expect(notifications.get().at(-1)?.text).toBe('2 appointments are back');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel 2 appointments' }));
  await waitFor(() => expect(notifications.get().at(-1)?.text).toBe('2 appointments cancelled'));
  expect(notifications.get().at(-1)?.action).toBeUndefined();
});

test('what a move would do is asked once its time is typed', async () => {
  await screen.findByRole('list', { name: 'What happens' });
  asked = [];
  for (const value of ['10:00', '11:00', '12:00'])
    fireEvent.change(screen.getByLabelText('New time'), { target: { value } });
  await waitFor(() => expect(screen.getAllByText(/ at 12:00 PM$/)).toHaveLength(2));
  expect(asked).toEqual([{ to: { date: first.date, time: '12:00' } }]);
});

test('all that follow are shown with what would be rejected, and nothing is sent until none is', async () => {
  const items = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  const was = preview;
  preview = (asked) =>
    was(asked).map((one, index) => (index === 1 ? { ...one, conflict: 'Someone else has this time' } : one));
  fireEvent.change(screen.getByLabelText('New time'), { target: { value: '11:00' } });
  expect(await screen.findByText('1 appointment can’t be changed, so none is')).toBeTruthy();
  const at = (date: string, time: string) => `${formatDate(date)} at ${time}`;
  expect(items()).toEqual([
    `${at(first.date, formatTime(first.time))}, to ${at(first.date, '11:00 AM')}`,
    `${at(second.date, '3:00 PM')}, to ${at(second.date, '11:00 AM')}Someone else has this time`,
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Move 2 appointments' }));
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText('Cancel the others one by one.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel 2 appointments' }));
  expect(sent).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Move' }));
  preview = was;
  fireEvent.change(screen.getByLabelText('New time'), { target: { value: '12:00' } });
  await waitFor(() => expect(items()[1]).toBe(`${at(second.date, '3:00 PM')}, to ${at(second.date, '12:00 PM')}`));
  await userEvent.click(screen.getByRole('button', { name: 'Move 2 appointments' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({
    following: slots.map(({ _id: id, date, time }) => ({ id, seen: { date, time } })),
  });
});
