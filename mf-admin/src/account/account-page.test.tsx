import { queryClient } from '@clinic/app-kit/host';
import { shownNotifications } from '@clinic/app-kit/test-clinic';
import { problemAnswer } from '@clinic/app-kit/test-server';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  ann,
  at,
  email,
  id,
  identity,
  openAccount,
  part,
  password,
  press,
  retype,
  staff,
} from '../testing/account.tsx';

const phone = {
  _id: 'b'.repeat(24),
  current: false,
  since: '2026-11-20T08:00:00Z',
  lastUsedAt: '2026-11-21T09:30:00Z',
  device: 'Chrome on Android',
  address: '203.0.113.7',
};
const here = { ...phone, _id: 'c'.repeat(24), current: true, device: 'Firefox on Linux' };

test('saves only the details that changed', async () => {
  const clinic = await openAccount();
  await press('Change my details');
  await retype('Phone', 'not a number');
  await press('Save my details');
  expect(await screen.findByText('A phone number can only have digits, spaces and + ( ) . -')).toBeTruthy();
  expect(clinic.made()).toEqual([]);
  await retype('Phone', '+880 1555 010111');
  await userEvent.clear(screen.getByLabelText('Address'));
  clinic.answers[`PATCH ${at}`] = () => ({ json: { ...ann, _id: id } });
  await press('Save my details');
  await waitFor(() => expect(shownNotifications()).toEqual(['Your details are saved']));
  expect(clinic.sent(`PATCH ${at}`)).toEqual({ phone: '+880 1555 010111', address: '' });
});

test('details show what has changed elsewhere meanwhile, except over what is typed', async () => {
  const clinic = await openAccount();
  await press('Change my details');
  await retype('Phone', '+880 1555 010111');
  clinic.answers[`GET ${at}`] = () => ({
    json: { ...clinic.user, _id: id, phone: '+880 1555 010222', dateOfBirth: '1990-01-31', address: '9 Hill Road' },
  });
  await act(() => queryClient.invalidateQueries());
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Address').value).toBe('9 Hill Road'));
  expect(screen.getByLabelText<HTMLInputElement>('Phone').value).toBe('+880 1555 010111');
  clinic.answers[`PATCH ${at}`] = () => ({ json: { ...ann, _id: id } });
  await press('Save my details');
  await waitFor(() => expect(clinic.sent(`PATCH ${at}`)).toEqual({ phone: '+880 1555 010111' }));
});

test('the index has every section, also one that another domain adds', async () => {
  await openAccount();
  const index = within(screen.getByRole('navigation', { name: 'On this page' }));
  const entries = () => index.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  const sections = () =>
    [...document.querySelectorAll('section')].map((section) => [
      section.querySelector('h2')?.textContent,
      `/dash/account#${section.id}`,
    ]);
  expect(entries()).toEqual(sections());
  expect(entries()).toHaveLength(9);
  const added = document.createElement('section');
  added.id = 'notifications';
  added.innerHTML = '<h2>Notifications</h2>';
  act(() => screen.getByRole('region', { name: 'Your data' }).before(added));
  await waitFor(() => expect(entries()).toContainEqual(['Notifications', '/dash/account#notifications']));
  expect(entries()).toEqual(sections());
});

test('requests a new email address after a sign-in, and keeps the old one until the new mailbox is opened', async () => {
  const clinic = await openAccount();
  expect(part('Email address').getByText('Confirmed')).toBeTruthy();
  identity.answer = undefined;
  await press('Change my email address');
  await waitFor(() => expect(identity.prompts).toEqual(['sign_in']));
  expect(screen.queryByLabelText('New email address')).toBeNull();
  identity.answer = { by: 'password', password };
  await press('Change my email address');
  await userEvent.type(await screen.findByLabelText('New email address'), 'ANN@mail.example');
  await press('Send the link');
  expect(await screen.findByText('This is already your address')).toBeTruthy();
  // Services would take no login with it.
  await retype('New email address', 'ann&ben@mail.example');
  await press('Send the link');
  expect(await screen.findByText('Enter an email address like name@example.com')).toBeTruthy();
  expect(clinic.firebase.mails).toEqual([]);
  await retype('New email address', 'new@mail.example');
  await press('Send the link');
  expect(await screen.findByText('We sent a link to new@mail.example')).toBeTruthy();
  expect(clinic.firebase.mails.map(({ requestType }) => requestType)).toEqual(['VERIFY_AND_CHANGE_EMAIL']);
  expect(clinic.firebase.accounts[0]).toMatchObject({ email });
});

test('shows the rule for a new password first, and ends all other sessions', async () => {
  const clinic = await openAccount();
  await press('Change my password');
  expect(await screen.findByText(/^Use at least 6 characters/)).toBeTruthy();
  await userEvent.type(screen.getByLabelText('New password'), 'abc{Enter}');
  expect(await screen.findByText('Password must be at least 6 characters')).toBeTruthy();
  await retype('New password', 'football{Enter}');
  expect(await screen.findByText(/^This password is common/)).toBeTruthy();
  expect(clinic.firebase.accounts[0]?.password).toBe(password);
  await retype('New password', 'abc-Better-88{Enter}');
  await waitFor(() =>
    expect(shownNotifications()).toEqual(['Your new password is set: You’ve been logged out everywhere else.']),
  );
  expect(clinic.firebase.accounts[0]?.password).toBe('abc-Better-88');
  expect(clinic.sent('POST /jwt')).toEqual({ email, passwordChanged: true, longPassword: true });
});

test.each(staff)('asks people with %s for a longer password', async (_, person) => {
  const clinic = await openAccount(person);
  await press('Change my password');
  expect(await screen.findByText(/^Use at least 12 characters/)).toBeTruthy();
  await userEvent.type(screen.getByLabelText('New password'), 'only-eleven{Enter}');
  expect(await screen.findByText('Password must be at least 12 characters')).toBeTruthy();
  expect(clinic.firebase.accounts[0]?.password).toBe(password);
});

test('shows after a sign-in whether a Google account is linked', async () => {
  await openAccount();
  await press('Show and change');
  expect(await screen.findByText('Not linked')).toBeTruthy();
  await press('Link my Google account');
  expect(await screen.findByRole('alertdialog', { name: 'Link a Google account' })).toBeTruthy();
});

test('shows the logged-in devices, and logs them out', async () => {
  let sessions = [here, phone];
  await openAccount(ann, {
    [`GET ${at}/sessions`]: () => ({ json: sessions }),
    [`DELETE ${at}/sessions/${phone._id}`]: () => {
      sessions = [here];
      return { status: 204 };
    },
  });
  const devices = part('Where you’re logged in');
  const items = await devices.findAllByRole('listitem');
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'Firefox on LinuxThis deviceIn use now, logged in Nov 20, 2026, 2:00 PM, from 203.0.113.7',
    'Chrome on AndroidLast used Nov 21, 2026, 3:30 PM, logged in Nov 20, 2026, 2:00 PM, from 203.0.113.7Log out there',
  ]);
  await press('Log out there: Chrome on Android, logged in Nov 20, 2026, 2:00 PM');
  await waitFor(() => expect(devices.getAllByRole('listitem')).toHaveLength(1));
  expect(shownNotifications()).toEqual(['You’ve logged out that device']);
});

test('lists access by staff from all services, latest first, without those of a service that fails', async () => {
  const look = (letter: string, when: string, role: string, what: string, how: string) => ({
    _id: letter.repeat(24),
    at: when,
    by: { role },
    what,
    how,
  });
  await openAccount(ann, {
    [`GET ${at}/looks?limit=10`]: () => ({ json: [look('d', '2026-11-21T08:00:00Z', 'admin', 'account', 'searched')] }),
    'GET /appoinments/looks?email=ann%40mail.example&limit=10': () => ({
      json: [look('e', '2026-11-21T09:00:00Z', 'doctor', 'appointments', 'opened')],
    }),
    'GET /orderMedi/looks?email=ann%40mail.example&limit=10': () => problemAnswer('forbidden'),
    'GET /personal-data.json': () => ({
      json: {
        calls: [],
        unknown: [],
        looks: [
          { service: 'clinic', id: 'listClinicLooks', method: 'GET', path: '/appoinments/looks' },
          { service: 'messages', id: 'listMessagesLooks', method: 'GET', path: '/messages/looks' },
          { service: 'home-visits', id: 'listHomeVisitsLooks', method: 'GET', path: '/home-visits/looks' },
        ],
      },
    }),
    'GET /messages/looks?email=ann%40mail.example&limit=10': () => ({
      json: [look('f', '2026-11-21T08:30:00Z', 'admin', 'messages', 'searched')],
    }),
    'GET /home-visits/looks?email=ann%40mail.example&limit=10': () => problemAnswer('forbidden'),
  });
  const list = await screen.findByRole('list', { name: 'Who viewed them' });
  await waitFor(() =>
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'A doctor opened your appointmentsNov 21, 2026, 3:00 PM',
      'An admin searched for your messagesNov 21, 2026, 2:30 PM',
      'An admin searched for your accountNov 21, 2026, 2:00 PM',
    ]),
  );
  expect(await screen.findByText('We can’t show who viewed your orders right now')).toBeTruthy();
  expect(await screen.findByText('We can’t show who viewed your home visits right now')).toBeTruthy();
});
