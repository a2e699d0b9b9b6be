import { shownNotifications } from '@clinic/app-kit/test-clinic';
import { problemAnswer } from '@clinic/app-kit/test-server';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Message } from '../calls.ts';
import { openAsAdmin, paged, readFrom } from '../testing.tsx';

const failed: Message = {
  _id: 'a'.repeat(24),
  kind: 'appointment-reminder',
  about: { doctor: 'Dr. Grey', date: '2026-11-24', time: '09:30' },
  status: 'failed',
  createdAt: '2026-11-22T04:00:00.000Z',
  dueAt: '2026-11-23T03:30:00.000Z',
  to: { email: 'bob@mail.example', name: 'Bob Ray' },
  attempts: 9,
  lastError: '550 5.1.1 no such user',
};
const list = '/messages';
const first = `GET ${list}?limit=20`;

test('shows attempts and error of a message, and sends it again', async () => {
  let message = failed;
  const { clinic } = await openAsAdmin('/dash/messages', {
    [first]: () => paged([message]),
    [`POST ${list}/${failed._id}/resend`]: () => {
      message = { ...failed, status: 'pending', attempts: 0 };
      return { json: message };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: /^Details: Appointment reminder to Bob Ray, / }));
  const dialog = screen.getByRole('dialog', { name: 'Appointment reminder', hidden: true });
  const terms = [...dialog.querySelectorAll('dt')].map((term) => [term.textContent, term.nextSibling?.textContent]);
  expect(terms).toEqual([
    ['To', 'Bob Ray'],
    ['Email', 'bob@mail.example'],
    ['About', 'Dr. Grey, Tue, Nov 24, 2026 at 9:30 AM'],
    ['Asked for', 'Nov 22, 2026, 10:00\u00a0AM'],
    ['Due', 'Nov 23, 2026, 9:30\u00a0AM'],
    ['Attempts', '9'],
  ]);
  expect(within(dialog).getByText('550 5.1.1 no such user')).toBeTruthy();
  await userEvent.click(within(dialog).getByText('Send again'));
  await waitFor(() => expect(shownNotifications()).toEqual(['The message will be sent again']));
  expect(clinic.made()).toContain(`POST ${list}/${failed._id}/resend`);
  await waitFor(() => expect(screen.queryByText('550 5.1.1 no such user')).toBeNull());
  await screen.findByText('Pending', { selector: '.ui-badge > *' });
  await screen.findByText('Due Nov 23, 2026, 9:30\u00a0AM', { normalizer: (text) => text });
});

test('says why a message can’t be sent again, and keeps it open', async () => {
  await openAsAdmin('/dash/messages', {
    [first]: () => paged([failed]),
    [`POST ${list}/${failed._id}/resend`]: () =>
      problemAnswer('transition_refused', { detail: 'Somebody has sent it again already.' }),
  });
  await userEvent.click(await screen.findByRole('button', { name: /^Details/ }));
  await userEvent.click(screen.getByText('Send again'));
  await screen.findByText('Somebody has sent it again already.');
  expect(screen.getByText('550 5.1.1 no such user')).toBeTruthy();
});

test('names the language of a message that was sent', async () => {
  const sent: Message = { ...failed, status: 'sent', sentAt: '2026-11-23T03:30:02.000Z', language: 'bn' };
  await openAsAdmin('/dash/messages', { [first]: () => paged([sent]) });
  await userEvent.click(await screen.findByRole('button', { name: /^Details/ }));
  expect(screen.getByText('Language').nextSibling?.textContent).toBe('বাংলা');
});

test('lets a bounced address have messages again', async () => {
  const { clinic } = await openAsAdmin('/dash/messages', {
    [first]: () => paged([{ ...failed, status: 'suppressed', reason: 'bounced' }]),
    [`POST ${list}/${failed._id}/address`]: () => ({ status: 204 }),
  });
  await userEvent.click(await screen.findByRole('button', { name: /^Details/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Send to this address again' }));
  await waitFor(() => expect(shownNotifications()).toEqual(['The next messages go to this address again']));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(clinic.made()).toEqual([`POST ${list}/${failed._id}/address`]);
});

test('filters by status, kind and person, in the address', async () => {
  const { clinic, address } = await openAsAdmin('/dash/messages?kind=nonsense', {
    [first]: () => paged([failed]),
    [`GET ${list}?status=failed&limit=20`]: () => paged([failed]),
    [`GET ${list}?status=failed&kind=order-placed&limit=20`]: () => paged([]),
    [`GET ${list}?q=bob%40mail.example&status=failed&kind=order-placed&limit=20`]: () => paged([]),
  });
  await screen.findByRole('button', { name: /^Details/ });
  await userEvent.selectOptions(screen.getByLabelText('Status'), 'failed');
  await userEvent.selectOptions(screen.getByLabelText('Kind'), 'Order placed');
  await screen.findByText('No messages match');
  await userEvent.click(screen.getByLabelText('Search by person'));
  // At once: a busy machine may pause for longer between two keys than a search waits for the next.
  await userEvent.paste('bob@mail.example');
  await waitFor(() => expect(address()).toBe('/dash/messages?kind=order-placed&status=failed&q=bob%40mail.example'));
  await waitFor(() => expect(readFrom(clinic, list)).toHaveLength(4));
  await userEvent.click(await screen.findByRole('button', { name: 'Show all messages' }));
  await screen.findByRole('button', { name: /^Details/ });
  expect(address()).toBe('/dash/messages');
});

test('shows the messages of a period, and takes no notice of a date that isn’t one', async () => {
  const { clinic, address } = await openAsAdmin('/dash/messages?from=yesterday&until=2026-11-23', {
    [`GET ${list}?until=2026-11-23&limit=20`]: () => paged([failed]),
    [`GET ${list}?from=2026-11-22&until=2026-11-23&limit=20`]: () => paged([failed]),
  });
  await screen.findByRole('button', { name: /^Details/ });
  fireEvent.change(screen.getByLabelText('From day'), { target: { value: '2026-11-22' } });
  await waitFor(() => expect(readFrom(clinic, list)).toHaveLength(2));
  expect(address()).toBe('/dash/messages?from=2026-11-22&until=2026-11-23');
});
