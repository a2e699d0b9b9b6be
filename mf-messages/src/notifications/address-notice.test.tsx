import { shownNotifications } from '@clinic/app-kit/test-clinic';
import { problemAnswer, type TestAnswer } from '@clinic/app-kit/test-server';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { OwnAddress } from '../calls.ts';
import { openPage, paged } from '../testing.tsx';

/** The page of somebody whose address gets nothing until they have it tried again. */
function stoppedAddress(why: 'bounced' | 'complained', canAccept = true) {
  let address: OwnAddress = {
    email: 'ann@mail.example',
    stopped: { why, at: '2026-11-23T04:00:00.000Z', canAccept },
  };
  return {
    'GET /messages/mine?limit=20': () => paged([]),
    'GET /messages/preferences': () => 'never' as const,
    'GET /messages/address': (): TestAnswer => ({ json: address }),
    'POST /messages/address': (): TestAnswer => {
      address = { email: address.email };
      return { status: 204 };
    },
  };
}

test('says that emails came back, and has the address tried again', async () => {
  await openPage('/dash/notifications', stoppedAddress('bounced'), 'patient');
  const title = await screen.findByText('Our emails to you came back');
  expect(title.closest('[role=status]')?.textContent).toMatch(/Nov 23, 2026, 10:00\sAM, ann@mail\.example rejected/);
  await userEvent.click(screen.getByRole('button', { name: 'Try this address again' }));
  await waitFor(() => expect(screen.queryByText('Our emails to you came back')).toBeNull());
  expect(shownNotifications()).toEqual(['We’ll send your next messages to this address again']);
});

test('says why an address can’t be tried again', async () => {
  const { clinic } = await openPage('/dash/notifications', stoppedAddress('bounced'), 'patient');
  clinic.answers['POST /messages/address'] = () => problemAnswer('rate_limited', { detail: 'Try again tomorrow.' });
  await userEvent.click(await screen.findByRole('button', { name: 'Try this address again' }));
  await screen.findByText('Try again tomorrow.');
  await screen.findByText('Our emails to you came back');
});

test('offers nothing to whoever hasn’t confirmed an address that reported spam', async () => {
  await openPage('/dash/notifications', stoppedAddress('complained', false), 'patient');
  await screen.findByText('Our emails were reported as spam');
  expect(screen.queryByRole('button', { name: /again/ })).toBeNull();
  expect(screen.getByRole('link', { name: 'My Account' }).getAttribute('href')).toBe('/dash/account');
});
