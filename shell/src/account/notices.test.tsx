import { muteExpectedLogs } from '@clinic/app-kit/test-environment';
import { prepareEnvironment, startTestClinic, shownNotifications, type TestClinic } from '@clinic/app-kit/test-clinic';
import { ann } from '@clinic/app-kit/test-session-users';
import type { SessionUser } from '@clinic/contracts';
import { loadLaterIcons } from '@clinic/ui';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openPage } from '../testing/open-page.tsx';
import { Notices } from './notices.tsx';

const password = 'Secret-77';
let clinic: TestClinic;

beforeAll(prepareEnvironment);
beforeAll(loadLaterIcons);
muteExpectedLogs();
afterEach(() => clinic.close());

async function open(user: SessionUser): Promise<void> {
  clinic = await startTestClinic(user);
  clinic.firebase.accounts.push({ email: user.email, password });
  await openPage(
    clinic,
    '/dash/patient',
    <>
      <Notices />
      <h1>The page</h1>
    </>,
  );
}

/** The home page after Ann's registration. @param state - what it interrupted */
async function openRegistered(state: object): Promise<void> {
  clinic = await startTestClinic({ ...ann, emailVerified: false });
  await openPage(clinic, '/', <Notices registered />, { registered: true, ...state });
  await screen.findByText('One more step: confirm your email address');
}

test('a complete account gets no notices', async () => {
  await open(ann);
  expect(screen.getByRole('heading', { name: 'The page' })).toBeTruthy();
  expect(screen.queryByRole('status')).toBeNull();
});

test('explains an unconfirmed address, and resends the mail after a sign-in, once a minute', async () => {
  await open({ ...ann, emailVerified: false });
  expect(
    await screen.findByText(/You can have fewer appointments and orders at a time until you open it\.$/),
  ).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open the demo mailbox' }).getAttribute('href')).toBe(
    '/mailbox?q=ann%40mail.example',
  );

  await userEvent.click(screen.getByRole('button', { name: 'Send it again' }));
  // The identity provider has no user after a reload.
  const dialog = await screen.findByRole('dialog', { name: 'Send the email again' });
  expect(dialog.textContent).toContain('Enter the password for ann@mail.example, and we’ll send the email.');
  expect(dialog.textContent).not.toMatch(/log in/i);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(clinic.firebase.mails).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Send it again' }));
  await userEvent.type(await screen.findByLabelText('Password'), `${password}{Enter}`);
  await waitFor(() => expect(clinic.firebase.mails).toEqual([{ requestType: 'VERIFY_EMAIL', email: ann.email }]));

  const again = await screen.findByRole('button', { name: /^Send it again in \d+ s$/ });
  expect(again.getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(again);
  expect(clinic.firebase.mails).toHaveLength(1);
  expect(shownNotifications()).toEqual([
    'We’ve sent the email: It can take a few minutes. Check your spam folder too.',
  ]);
  expect(clinic.made()).toEqual([]);
});

test('an inactive role says what is missing', async () => {
  await open({ ...ann, emailVerified: false, held: { role: 'doctor', until: 'email' } });
  expect(await screen.findByText(/You’ve been given the role Doctor. Open the link to start using it\.$/)).toBeTruthy();
});

test('a role that needs a second step links to where it is set up', async () => {
  await open({ ...ann, held: { role: 'doctor', until: 'second_factor' } });
  expect(await screen.findByText('Set up a second step to start work')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Set it up' }).getAttribute('href')).toBe('/dash/account#second-step');
});

test('a role that needs a longer password links to where it is changed', async () => {
  await open({ ...ann, passwordUnproven: true, held: { role: 'doctor', until: 'password' } });
  expect(await screen.findByText('Choose a longer password to start work')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Choose a password' }).getAttribute('href')).toBe('/dash/account#password');
});

test('leads back to the booking that a registration interrupted, with the chosen time', async () => {
  await openRegistered({ from: '/appoinment/abc?date=2026-12-01&time=09:30' });
  expect(screen.getByRole('link', { name: 'Continue booking' }).getAttribute('href')).toBe(
    '/appoinment/abc?date=2026-12-01&time=09:30',
  );
});

test.each([
  ['never leads to another site', { from: '//evil.example/appoinment/' }],
  ['says nothing if the registration interrupted nothing', {}],
])('%s', async (_, state) => {
  await openRegistered(state);
  expect(screen.queryByRole('link', { name: /^Continue/ })).toBeNull();
});

test('missing details are requested, validated and saved', async () => {
  await open({ ...ann, firstName: '', lastName: '', profileNeeded: true });
  clinic.answers['POST /users'] = () => {
    clinic.user = ann;
    return { json: {} };
  };
  await userEvent.click(await screen.findByRole('button', { name: 'Complete my details' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save my details' }));
  expect(await screen.findByText('Phone number is required')).toBeTruthy();
  expect(document.activeElement).toBe(document.querySelector('[aria-invalid="true"]'));
  expect(clinic.made()).toEqual([]);
  await userEvent.type(screen.getByLabelText('First Name'), 'Ann');
  await userEvent.type(screen.getByLabelText('Last Name'), 'Lee');
  await userEvent.type(screen.getByLabelText('Phone'), '+880 1555 010999');
  await userEvent.type(screen.getByLabelText('Date of Birth'), '1990-01-31');
  await userEvent.click(screen.getByRole('button', { name: 'Save my details' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(clinic.sent('POST /users')).toEqual({
    email: ann.email,
    firstName: 'Ann',
    lastName: 'Lee',
    phone: '+880 1555 010999',
    dateOfBirth: '1990-01-31',
    role: 'patient',
  });
  expect(screen.queryByText('Tell us your name and phone number')).toBeNull();
});
