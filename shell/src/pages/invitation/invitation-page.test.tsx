import { muteExpectedLogs } from '@clinic/app-kit/test-environment';
import { prepareEnvironment, startTestClinic, shownNotifications, type TestClinic } from '@clinic/app-kit/test-clinic';
import type { SessionUser } from '@clinic/contracts';
import { problemAnswer } from '@clinic/app-kit/test-server';
import '@clinic/svc-identity/contract/problems';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openPage } from '../../testing/open-page.tsx';
import { RegisterPage } from '../register-page.tsx';

const email = 'ada@clinic.example';
const token = 'a-token-of-more-than-twenty-characters';
const ada: SessionUser = { email, firstName: 'Ada', lastName: 'Byron', role: 'patient', emailVerified: true };
let clinic: TestClinic;

beforeAll(prepareEnvironment);
muteExpectedLogs('The invitation could not be accepted');
afterEach(() => clinic.close());

async function open(user?: SessionUser): Promise<void> {
  clinic = await startTestClinic(user);
  clinic.answers['POST /staff/invitation'] = () => ({
    json: { email, role: 'doctor', name: 'Dr. Ada Byron', expiresAt: '2100-01-01T00:00:00Z' },
  });
  clinic.answers['POST /staff/invitation/accept'] = () => {
    clinic.user = { ...ada, role: 'doctor' };
    return { json: { user: clinic.user, expiresAt: '2100-01-01T00:00:00Z' } };
  };
}

const show = (): Promise<void> => openPage(clinic, `/register?invitation=${token}`, <RegisterPage />);

test('the invited person registers with the invited address and a long password, then confirms it', async () => {
  await open();
  await show();
  expect(await screen.findByRole('heading', { name: 'Work here as a doctor' })).toBeTruthy();
  expect(clinic.sent('POST /staff/invitation')).toEqual({ token });
  expect(screen.getByLabelText<HTMLInputElement>('Email').readOnly).toBe(true);
  expect([
    screen.getByLabelText<HTMLInputElement>('First Name').value,
    screen.getByLabelText<HTMLInputElement>('Last Name').value,
  ]).toEqual(['Ada', 'Byron']);
  await userEvent.type(screen.getByLabelText('Phone'), '+880 1555 010999');
  await userEvent.type(screen.getByLabelText('Date of Birth'), '1990-01-31');
  await userEvent.type(screen.getByLabelText('Password'), 'short-one{Enter}');
  expect(await screen.findByText('Password must be at least 12 characters')).toBeTruthy();
  expect(clinic.firebase.accounts).toEqual([]);
  await userEvent.type(screen.getByLabelText('Password'), '-made-long{Enter}');

  expect(await screen.findByRole('heading', { name: 'Confirm your email address' })).toBeTruthy();
  expect(clinic.sent('POST /users')).toMatchObject({ email, firstName: 'Ada', role: 'patient' });
  // The mail links back here.
  expect(clinic.firebase.mails).toEqual([{ requestType: 'VERIFY_EMAIL', email, continueUrl: location.href }]);
  expect(clinic.made()).not.toContain('POST /staff/invitation/accept');
});

test('with an existing account it goes to the login and back', async () => {
  await open();
  await show();
  const link = await screen.findByRole('link', { name: 'Log in' });
  expect(link.getAttribute('href')).toBe('/login');
  await userEvent.click(link);
  expect(await screen.findByText('Now at /login')).toBeTruthy();
});

test('the confirmed person accepts, with a new password if the old one is short', async () => {
  await open({ ...ada, passwordUnproven: true });
  clinic.firebase.accounts.push({ email, password: 'Secret-77', emailVerified: true });
  await show();
  await userEvent.type(await screen.findByLabelText('New password'), 'Secret-77{Enter}');
  expect(await screen.findByText('Password must be at least 12 characters')).toBeTruthy();
  expect(clinic.made()).toEqual(['POST /staff/invitation']);
  await userEvent.clear(screen.getByLabelText('New password'));
  await userEvent.type(screen.getByLabelText('New password'), 'four words in a row');
  await userEvent.click(screen.getByRole('button', { name: 'Accept the invitation' }));
  await userEvent.type(await screen.findByLabelText('Password'), 'Secret-77{Enter}');
  expect(await screen.findByText('Now at /dash')).toBeTruthy();
  expect(clinic.firebase.accounts[0]?.password).toBe('four words in a row');
  expect(clinic.made()).toEqual(['POST /staff/invitation', 'POST /jwt', 'POST /staff/invitation/accept']);
  expect(clinic.sent('POST /jwt')).toEqual({ email, passwordChanged: true, longPassword: true });
  expect(shownNotifications()).toEqual(['Welcome. You now work here as a doctor']);
});

test('a rejection is shown, and nothing else happens', async () => {
  await open(ada);
  clinic.answers['POST /staff/invitation/accept'] = () =>
    problemAnswer('invitation_over', { detail: 'It was revoked.' });
  await show();
  await userEvent.click(await screen.findByRole('button', { name: 'Accept the invitation' }));
  expect(screen.queryByLabelText('New password')).toBeNull();
  expect(await screen.findByText('It was revoked.')).toBeTruthy();
  expect(shownNotifications()).toEqual([]);
});

test('another logged-in person can’t accept, and can log out', async () => {
  await open({ ...ada, email: 'other@mail.example' });
  await show();
  expect(await screen.findByRole('heading', { name: 'This invitation is for someone else' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Accept the invitation' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: `Log out and continue as ${email}` }));
  expect(await screen.findByRole('heading', { name: 'Work here as a doctor' })).toBeTruthy();
});

test('an unconfirmed address has to be confirmed first', async () => {
  await open({ ...ada, emailVerified: false });
  await show();
  expect(await screen.findByRole('heading', { name: 'Confirm your email address' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Accept the invitation' })).toBeNull();
});

test.each(['invitation_over', 'not_found'] as const)(
  'an invitation that is no longer open (%s) says who to ask',
  async (code) => {
    await open();
    clinic.answers['POST /staff/invitation'] = () => problemAnswer(code, { detail: 'It has expired.' });
    await show();
    expect(await screen.findByRole('heading', { name: 'This invitation is no longer valid' })).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Create my account' })).toBeNull());
  },
);
