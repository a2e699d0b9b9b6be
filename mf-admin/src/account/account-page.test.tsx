import { QueryClientProvider, queryClient, session, type IdentityAnswer } from '@clinic/app-kit/host';
import {
  arrive,
  prepareEnvironment,
  startTestClinic,
  shownNotifications,
  type TestClinic,
} from '@clinic/app-kit/test-clinic';
import { problemAnswer } from '@clinic/app-kit/test-server';
import type { SessionUser } from '@clinic/contracts';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { AccountPage } from './account-page.tsx';

const email = 'ann@mail.example';
const at = '/users/ann%40mail.example';
const id = 'a'.repeat(24);
const ann: SessionUser = { email, firstName: 'Ann', lastName: 'Lee', role: 'patient', emailVerified: true };
const password = 'Secret-77';
const phone = {
  _id: 'b'.repeat(24),
  current: false,
  since: '2026-11-20T08:00:00Z',
  lastUsedAt: '2026-11-21T09:30:00Z',
  device: 'Chrome on Android',
  address: '203.0.113.7',
};
const here = { ...phone, _id: 'c'.repeat(24), current: true, device: 'Firefox on Linux' };

let clinic: TestClinic;
/** The person's answer when asked for proof of identity; nothing: they cancel. */
let given: IdentityAnswer | undefined;
let requests: string[];
let unsubscribe: () => void;

beforeAll(prepareEnvironment);
beforeEach(async () => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  given = { by: 'password', password };
  requests = [];
  // Replaces the shell, which shows a dialog.
  unsubscribe = session.checks.subscribe(() => {
    const [check] = session.checks.get();
    if (!check) return;
    requests.push(check.kind);
    if (given) void check.answer(given);
    else check.cancel();
  });
});
afterEach(async () => {
  unsubscribe();
  await clinic.close();
});

/** Opens the page as a person; `answers` as in TestClinic. */
async function open(user: SessionUser = ann, answers: Partial<TestClinic['answers']> = {}): Promise<void> {
  clinic = await startTestClinic(user);
  clinic.firebase.accounts.push({ email, password, emailVerified: user.emailVerified });
  Object.assign(clinic.answers, {
    [`GET ${at}`]: () => ({
      json: { ...clinic.user, _id: id, phone: '+880 1555 010999', dateOfBirth: '1990-01-31', address: '7 Green Road' },
    }),
    [`GET ${at}/sessions`]: () => ({ json: [here, phone] }),
    [`GET ${at}/looks?limit=10`]: () => ({ json: [] }),
    'GET /appoinments/looks?email=ann%40mail.example&limit=10': () => ({ json: [] }),
    'GET /orderMedi/looks?email=ann%40mail.example&limit=10': () => ({ json: [] }),
    ...answers,
  });
  await arrive(clinic);
  const router = createMemoryRouter(
    [
      { path: '/dash/account', Component: AccountPage },
      { path: '*', element: <p>Elsewhere</p> },
    ],
    { initialEntries: ['/dash/account'] },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await screen.findByText('7 Green Road');
}

const part = (name: string) => within(screen.getByRole('region', { name }));
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('details are changed field by field', async () => {
  await open();
  await press('Change my details');
  const phoneField = screen.getByLabelText('Phone');
  await userEvent.clear(phoneField);
  await userEvent.type(phoneField, 'not a number');
  await press('Save my details');
  expect(await screen.findByText('A phone number can only have digits, spaces and + ( ) . -')).toBeTruthy();
  expect(clinic.made()).toEqual([]);
  await userEvent.clear(phoneField);
  await userEvent.type(phoneField, '+880 1555 010111');
  await userEvent.clear(screen.getByLabelText('Address'));
  clinic.answers[`PATCH ${at}`] = () => ({ json: { ...ann, _id: id } });
  await press('Save my details');
  await waitFor(() => expect(shownNotifications()).toEqual(['Your details are saved']));
  expect(clinic.sent(`PATCH ${at}`)).toEqual({ phone: '+880 1555 010111', address: '' });
});

test('a new email address is requested after a sign-in, and takes effect once its mailbox has been opened', async () => {
  await open();
  expect(part('Email address').getByText('Confirmed')).toBeTruthy();
  given = undefined;
  await press('Change my email address');
  await waitFor(() => expect(requests).toEqual(['sign_in']));
  expect(screen.queryByLabelText('New email address')).toBeNull();
  given = { by: 'password', password };
  await press('Change my email address');
  await userEvent.type(await screen.findByLabelText('New email address'), 'ANN@mail.example');
  await press('Send the link');
  expect(await screen.findByText('This is already your address')).toBeTruthy();
  await userEvent.clear(screen.getByLabelText('New email address'));
  await userEvent.type(screen.getByLabelText('New email address'), 'new@mail.example');
  await press('Send the link');
  expect(await screen.findByText('We sent a link to new@mail.example')).toBeTruthy();
  expect(clinic.firebase.mails.map(({ requestType }) => requestType)).toEqual(['VERIFY_AND_CHANGE_EMAIL']);
  expect(clinic.firebase.accounts[0]).toMatchObject({ email });
});

test('a new password shows its rule first, and ends all other sessions', async () => {
  await open();
  await press('Change my password');
  expect(await screen.findByText(/^Use at least 6 characters/)).toBeTruthy();
  await userEvent.type(screen.getByLabelText('New password'), 'abc{Enter}');
  expect(await screen.findByText('Password must be at least 6 characters')).toBeTruthy();
  await userEvent.clear(screen.getByLabelText('New password'));
  await userEvent.type(screen.getByLabelText('New password'), 'football{Enter}');
  expect(await screen.findByText(/^This password is common/)).toBeTruthy();
  expect(clinic.firebase.accounts[0]?.password).toBe(password);
  await userEvent.clear(screen.getByLabelText('New password'));
  await userEvent.type(screen.getByLabelText('New password'), 'abc-Better-88{Enter}');
  await waitFor(() =>
    expect(shownNotifications()).toEqual(['Your new password is set: You’ve been logged out everywhere else.']),
  );
  expect(clinic.firebase.accounts[0]?.password).toBe('abc-Better-88');
  expect(clinic.sent('POST /jwt')).toEqual({ email, passwordChanged: true, longPassword: true });
});

test('staff need a longer password', async () => {
  await open({ ...ann, role: 'doctor' });
  await press('Change my password');
  expect(await screen.findByText(/^Use at least 12 characters/)).toBeTruthy();
  await userEvent.type(screen.getByLabelText('New password'), 'only-eleven{Enter}');
  expect(await screen.findByText('Password must be at least 12 characters')).toBeTruthy();
  expect(clinic.firebase.accounts[0]?.password).toBe(password);
});

test('Google: linked accounts show after a sign-in', async () => {
  await open();
  await press('Show and change');
  expect(await screen.findByText('Not linked')).toBeTruthy();
  await press('Link my Google account');
  expect(await screen.findByRole('alertdialog', { name: 'Link a Google account' })).toBeTruthy();
});

test('a second step is set up with a code, and shows its recovery codes once', async () => {
  const codes = ['ABCD-EFGH', 'IJKL-MNOP'];
  await open(ann, {
    [`POST ${at}/second-factor`]: () => ({
      json: { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Clinic:ann?secret=JBSWY3DPEHPK3PXP' },
    }),
    [`POST ${at}/second-factor/confirm`]: ({ body }) => {
      if ((body as { code: string }).code !== '123456')
        return problemAnswer('second_factor_wrong', { errors: [{ field: 'code', message: 'This code isn’t right' }] });
      clinic.user = { ...ann, secondFactor: true };
      return { json: { recoveryCodes: codes } };
    },
  });
  await press('Set up the second step');
  expect(await screen.findByRole('img', { name: 'QR code for the authenticator app' })).toBeTruthy();
  await userEvent.click(screen.getByText('I can’t scan it'));
  expect(screen.getByText('JBSW Y3DP EHPK 3PXP')).toBeTruthy();
  const field = screen.getByLabelText('Enter the six-digit code from the app');
  await userEvent.type(field, '12 34{Enter}');
  expect(screen.getByRole('alert').textContent).toBe('Enter the six-digit code from the app');
  await userEvent.clear(field);
  await userEvent.type(field, '000 000{Enter}');
  expect(await screen.findByText('This code isn’t right')).toBeTruthy();
  await userEvent.clear(field);
  await userEvent.type(field, '123 456{Enter}');
  expect(
    within(await screen.findByRole('list', { name: 'Recovery codes' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(codes);
  await press('I’ve saved them');
  expect(screen.queryByText('ABCD-EFGH')).toBeNull();
  expect(await part('Second step').findByText('On')).toBeTruthy();
});

test('a second step is removed after a confirmation, and a rejection is shown', async () => {
  await open(
    { ...ann, secondFactor: true },
    {
      [`DELETE ${at}/second-factor`]: () =>
        problemAnswer('transition_refused', { detail: 'People who work here need a second step.' }),
    },
  );
  await press('Remove the second step');
  await press('Keep it');
  expect(clinic.made()).toEqual([]);
  await press('Remove the second step');
  await press('Remove it');
  await waitFor(() => expect(shownNotifications()).toEqual(['People who work here need a second step.']));
  expect(part('Second step').getByText('On')).toBeTruthy();
});

test('new recovery codes need a proof, and replace the old ones', async () => {
  let proven = false;
  await open(
    { ...ann, secondFactor: true },
    {
      [`POST ${at}/second-factor/recovery-codes`]: () =>
        proven ? { json: { recoveryCodes: ['QRST-UVWX'] } } : problemAnswer('proof_needed'),
      'POST /jwt/proof': () => {
        proven = true;
        return { json: { user: clinic.user } };
      },
    },
  );
  await press('New recovery codes');
  expect(await screen.findByText('QRST-UVWX')).toBeTruthy();
  expect(requests).toEqual(['proof']);
});

test('shows the logged-in devices, and logs them out', async () => {
  let sessions = [here, phone];
  await open(ann, {
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
  await press('Log out there: Chrome on Android');
  await waitFor(() => expect(devices.getAllByRole('listitem')).toHaveLength(1));
  expect(shownNotifications()).toEqual(['You’ve logged out that device']);
});

test('access by staff: from three services, latest first; an unavailable one only lacks its own part', async () => {
  const look = (letter: string, when: string, role: string, what: string, how: string) => ({
    _id: letter.repeat(24),
    at: when,
    by: { role },
    what,
    how,
  });
  await open(ann, {
    [`GET ${at}/looks?limit=10`]: () => ({ json: [look('d', '2026-11-21T08:00:00Z', 'admin', 'account', 'searched')] }),
    'GET /appoinments/looks?email=ann%40mail.example&limit=10': () => ({
      json: [look('e', '2026-11-21T09:00:00Z', 'doctor', 'appointments', 'opened')],
    }),
    'GET /orderMedi/looks?email=ann%40mail.example&limit=10': () => problemAnswer('forbidden'),
  });
  const list = await screen.findByRole('list', { name: 'Who viewed them' });
  await waitFor(() =>
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'A doctor opened your appointmentsNov 21, 2026, 3:00 PM',
      'An admin searched for your accountNov 21, 2026, 2:00 PM',
    ]),
  );
  expect(await screen.findByText('We can’t show who viewed your orders right now')).toBeTruthy();
});

const erased = { json: { done: true, records: 1, cancelled: 1, events: 2 } };
const noOthers = { 'GET /personal-data.json': () => ({ json: { calls: [], unknown: [] } }) };

test('the account is deleted part by part, its own record last, after typing the address', async () => {
  await open(ann, {
    ...noOthers,
    'POST /appoinments/erasure': () => erased,
    'POST /orderMedi/erasure': () => erased,
    [`DELETE ${at}`]: () => ({ json: { userId: id, signInAccount: 'deleted' } }),
  });
  await press('Delete my account …');
  await userEvent.type(screen.getByLabelText(`Type ${email} to confirm`), 'bob@mail.example');
  await press('Delete my account');
  expect(await screen.findByText('This isn’t your email address')).toBeTruthy();
  expect(clinic.made()).toEqual([]);
  await userEvent.clear(screen.getByLabelText(`Type ${email} to confirm`));
  await userEvent.type(screen.getByLabelText(`Type ${email} to confirm`), email);
  await press('Delete my account');
  expect(await screen.findByText('Elsewhere')).toBeTruthy();
  expect(clinic.made()).toEqual([
    'POST /appoinments/erasure',
    'POST /orderMedi/erasure',
    `DELETE ${at}`,
    'DELETE /jwt',
  ]);
  expect(clinic.sent('POST /appoinments/erasure')).toEqual({ email, userId: id, emailConfirmed: true });
  expect(shownNotifications()).toEqual(['Your account is deleted']);
});

test('a deletion that stops half-way says so, keeps the account, and continues', async () => {
  let down = true;
  await open(
    { ...ann, emailVerified: false },
    {
      ...noOthers,
      'POST /appoinments/erasure': () => erased,
      'POST /orderMedi/erasure': () =>
        down ? problemAnswer('unavailable', { detail: 'The pharmacy is unavailable.' }) : erased,
      [`DELETE ${at}`]: () => ({ json: { userId: id, signInAccount: 'left' } }),
    },
  );
  await press('Delete my account …');
  await userEvent.type(screen.getByLabelText(`Type ${email} to confirm`), email);
  await press('Delete my account');
  expect(await screen.findByText('The pharmacy is unavailable.')).toBeTruthy();
  expect(clinic.made()).toEqual(['POST /appoinments/erasure', 'POST /orderMedi/erasure']);
  down = false;
  await press('Try again');
  expect(await screen.findByText('Elsewhere')).toBeTruthy();
  expect(clinic.sent('POST /orderMedi/erasure')).toEqual({ email, userId: id, emailConfirmed: false });
  expect(shownNotifications()).toEqual([
    'Your account is deleted: The clinic will delete your sign-in account by hand.',
  ]);
});

test('other domains’ records are deleted too, and one that isn’t known yet keeps the account', async () => {
  let unknown = ['home-visits'];
  const call = (id: string, method: string, personalData: string) => ({
    service: 'home-visits',
    id,
    method,
    path: `/visits/${personalData}`,
    personalData,
  });
  await open(ann, {
    'GET /personal-data.json': () => ({
      json: {
        calls: unknown.length > 0 ? [] : [call('eraseVisits', 'POST', 'erasure'), call('exportVisits', 'GET', 'copy')],
        unknown,
      },
    }),
    'POST /appoinments/erasure': () => erased,
    'POST /orderMedi/erasure': () => erased,
    'POST /visits/erasure': () => ({ json: { done: true, records: 2, cancelled: 2, events: 0 } }),
    [`DELETE ${at}`]: () => problemAnswer('unavailable', { detail: 'Not now.' }),
  });
  await press('Delete my account …');
  await userEvent.type(screen.getByLabelText(`Type ${email} to confirm`), email);
  await press('Delete my account');
  expect(await screen.findByText('This part of the clinic hasn’t started yet. Try again in a moment.')).toBeTruthy();
  expect(clinic.made()).toEqual([]);

  unknown = [];
  await press('Try again');
  expect(await screen.findByText('Not now.')).toBeTruthy();
  const steps = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(steps.filter((text) => text?.startsWith('Your ') && text.includes(': '))).toEqual([
    'Your appointments: done1 appointment cancelled',
    'Your orders: done1 order cancelled',
    'Your home visits: done2 records cancelled',
    'Your account: not finishedNot now.',
  ]);
  expect(clinic.made()).toEqual([
    'POST /appoinments/erasure',
    'POST /orderMedi/erasure',
    'POST /visits/erasure',
    `DELETE ${at}`,
  ]);
  expect(clinic.sent('POST /visits/erasure')).toEqual({ email, userId: id, emailConfirmed: true });
});

test('staff see that an admin must remove their role first', async () => {
  await open({ ...ann, role: 'pharmacist' });
  expect(part('Delete my account').getByText(/^You work here/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Delete my account …' })).toBeNull();
});
