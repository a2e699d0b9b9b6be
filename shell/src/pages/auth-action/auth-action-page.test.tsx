import { muteExpectedLogs } from '@clinic/app-kit/test-environment';
import { prepareEnvironment, startTestClinic, shownNotifications, type TestClinic } from '@clinic/app-kit/test-clinic';
import { problemAnswer, type SeenRequest, type TestCode } from '@clinic/app-kit/test-server';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openPage } from '../../testing/open-page.tsx';
import { AuthActionPage } from './auth-action-page.tsx';

const email = 'ann@mail.example';
const password = 'Secret-77';
let clinic: TestClinic;
/** Each code is used once in the life of a page. */
let codes = 0;

beforeAll(prepareEnvironment);
muteExpectedLogs(
  'The link’s action failed',
  'The password could not be set',
  'The former address could not be restored',
);
beforeEach(async () => {
  clinic = await startTestClinic();
  clinic.firebase.accounts.push({ email, password });
});
afterEach(() => clinic.close());

const open = (query: string): Promise<void> => openPage(clinic, `/auth/action?${query}`, <AuthActionPage />);

/** Opens the link of a mail. @param continueUrl - where the mail says to go on */
function openMailed(mode: string, code: TestCode, continueUrl = ''): Promise<void> {
  codes += 1;
  clinic.firebase.codes.set(`code-${codes}`, code);
  return open(`mode=${mode}&oobCode=code-${codes}${continueUrl && `&continueUrl=${encodeURIComponent(continueUrl)}`}`);
}
const openConfirmation = (continueUrl?: string): Promise<void> =>
  openMailed('verifyEmail', { requestType: 'VERIFY_EMAIL', email }, continueUrl);
const openReset = (): Promise<void> => openMailed('resetPassword', { requestType: 'PASSWORD_RESET', email });

async function retype(label: string, text: string): Promise<void> {
  await userEvent.clear(screen.getByLabelText(label));
  await userEvent.type(screen.getByLabelText(label), text);
}

test('an address is confirmed by the person who logs in with it, not by whoever opens the link', async () => {
  await openConfirmation();
  expect(await screen.findByRole('heading', { name: 'Confirm your email address' })).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe(email);

  await userEvent.type(screen.getByLabelText('Password'), 'guessed-it{Enter}');
  expect(await screen.findByText('This isn’t the right password for this account.')).toBeTruthy();
  expect(clinic.made()).toEqual([]);
  expect(clinic.firebase.codes.size).toBe(1);

  await retype('Password', `${password}{Enter}`);
  expect(await screen.findByText('Now at /dash')).toBeTruthy();
  expect(shownNotifications()).toEqual(['Your email address is confirmed']);
  // In a browser without a session our server first learns who this is.
  expect(clinic.made()).toEqual(['POST /jwt', 'POST /jwt']);
  expect(clinic.user).toMatchObject({ email, emailVerified: true });
});

test.each([
  ['continues to the page named in the mail', `${location.origin}/register?invitation=abc`, '/register?invitation=abc'],
  ['never redirects to another site', 'https://elsewhere.example/login', '/dash'],
])('%s', async (_, continueUrl, page) => {
  await openConfirmation(continueUrl);
  await userEvent.type(await screen.findByLabelText('Password'), `${password}{Enter}`);
  expect(await screen.findByText(`Now at ${page}`)).toBeTruthy();
});

test('somebody who didn’t register takes the address back with a new password', async () => {
  await openConfirmation();
  await userEvent.click(await screen.findByRole('button', { name: 'reset the password instead' }));
  expect(screen.getByLabelText<HTMLInputElement>('Your email').value).toBe(email);
  await userEvent.click(screen.getByRole('button', { name: 'Send the link' }));
  await screen.findByRole('heading', { name: 'Confirm your email address' });
  expect(clinic.firebase.mails.map(({ requestType, email: to }) => [requestType, to])).toEqual([
    ['PASSWORD_RESET', email],
  ]);
  expect(clinic.firebase.codes.size).toBe(1);
});

test('a new password is checked before it is sent, logs in, and ends the other sessions', async () => {
  await openReset();
  expect(
    await screen.findByText('Use at least 6 characters, or 12 if you work at the clinic. Avoid common passwords.'),
  ).toBeTruthy();
  await userEvent.type(screen.getByLabelText('New password'), 'abc{Enter}');
  expect(await screen.findByText('Password must be at least 6 characters')).toBeTruthy();
  await retype('New password', 'football{Enter}');
  expect(await screen.findByText(/^This password is common/)).toBeTruthy();
  expect(clinic.firebase.accounts[0]).toMatchObject({ password });
  await retype('New password', 'abc-Better-88{Enter}');
  expect(await screen.findByText('Now at /dash')).toBeTruthy();
  expect(clinic.sent('POST /jwt')).toEqual({ email, passwordChanged: true, longPassword: true });
  expect(clinic.firebase.accounts[0]).toMatchObject({ password: 'abc-Better-88' });
  expect(shownNotifications()).toEqual(['Your new password is set: You’ve been logged out everywhere else.']);
});

test('staff whose new password is too short are asked for a longer one', async () => {
  const { 'POST /jwt': login } = clinic.answers;
  clinic.answers['POST /jwt'] = (request) => {
    const { longPassword } = request.body as { readonly longPassword?: boolean };
    clinic.user = {
      email,
      firstName: 'Ann',
      lastName: 'Lee',
      role: 'patient',
      emailVerified: true,
      ...(!longPassword && { passwordUnproven: true, held: { role: 'doctor', until: 'password' } }),
    };
    return login?.(request) ?? { json: {} };
  };
  await openReset();
  await userEvent.type(await screen.findByLabelText('New password'), 'abc-Better{Enter}');
  expect(await screen.findByRole('heading', { name: 'Choose a longer password' })).toBeTruthy();
  expect(clinic.firebase.accounts[0]).toMatchObject({ password: 'abc-Better' });
  await userEvent.type(screen.getByLabelText('New password'), 'abc-Better1{Enter}');
  expect(await screen.findByText('Password must be at least 12 characters')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('New password'), '2{Enter}');
  expect(await screen.findByText('Now at /dash')).toBeTruthy();
  expect(clinic.firebase.accounts[0]).toMatchObject({ password: 'abc-Better12' });
  expect(clinic.sent('POST /jwt')).toEqual({ email, passwordChanged: true, longPassword: true });
});

test('a new address takes effect once its owner has logged in with the old one', async () => {
  const to = 'new@mail.example';
  await openMailed('verifyAndChangeEmail', { requestType: 'VERIFY_AND_CHANGE_EMAIL', email, newEmail: to });
  await userEvent.type(await screen.findByLabelText('Password'), 'guessed-it{Enter}');
  expect(await screen.findByText('This isn’t the right password for this account.')).toBeTruthy();
  expect(clinic.firebase.accounts[0]).toMatchObject({ email });
  await retype('Password', `${password}{Enter}`);
  expect(await screen.findByText('Now at /dash/account')).toBeTruthy();
  expect(clinic.firebase.accounts[0]).toMatchObject({ email: to });
  expect(clinic.sent('POST /jwt')).toEqual({ email: to });
});

/** Lets the next call of a kind fail once, as if nobody could be reached. */
function failOnce(call: string): void {
  const { 'POST /jwt': login } = clinic.answers;
  const firebase = clinic.firebase.answer.bind(clinic.firebase);
  let failures = 1;
  const fails = (request: SeenRequest): boolean => request.url.includes(call) && failures-- > 0;
  clinic.answers['POST /jwt'] = (request) => (fails(request) ? problemAnswer('unavailable') : (login?.(request) ?? {}));
  clinic.firebase.answer = (request) => (fails(request) ? { status: 503 } : firebase(request));
}

test.each([
  [
    'verifyAndChangeEmail',
    { requestType: 'VERIFY_AND_CHANGE_EMAIL', email, newEmail: 'new@mail.example' },
    ['Password', password],
    '/dash/account',
  ],
  ['resetPassword', { requestType: 'PASSWORD_RESET', email }, ['New password', 'abc-Better-88'], '/dash'],
] as const)(
  'what a link has done isn’t lost if the login after it fails: %s',
  async (mode, code, [label, typed], page) => {
    await openMailed(mode, code);
    failOnce('/jwt');
    await userEvent.type(await screen.findByLabelText(label), `${typed}{Enter}`);
    expect(await screen.findByRole('alert')).toBeTruthy();
    expect(clinic.firebase.codes.size).toBe(0);
    await userEvent.click(screen.getByRole('button', { name: /log in/i }));
    expect(await screen.findByText(`Now at ${page}`)).toBeTruthy();
  },
);

test('an address that is restored gets its link for a new password at the second try', async () => {
  await openMailed('recoverEmail', { requestType: 'RECOVER_EMAIL', email });
  failOnce('sendOobCode');
  await userEvent.click(await screen.findByRole('button', { name: `Use ${email} again` }));
  expect(await screen.findByRole('alert')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: `Use ${email} again` }));
  expect(await screen.findByText('Now at /login')).toBeTruthy();
  expect(clinic.firebase.mails.map(({ requestType }) => requestType)).toEqual(['PASSWORD_RESET']);
});

test('undoing a change of address is followed by a link for a new password', async () => {
  await openMailed('recoverEmail', { requestType: 'RECOVER_EMAIL', email });
  await userEvent.click(await screen.findByRole('button', { name: `Use ${email} again` }));
  expect(await screen.findByText('Now at /login')).toBeTruthy();
  expect(clinic.firebase.mails.map(({ requestType, email: to }) => [requestType, to])).toEqual([
    ['PASSWORD_RESET', email],
  ]);
  expect(clinic.made()).toEqual([]);
});

test.each([
  ['expired', 'resetPassword', 'This link has expired', 'Send me a new link'],
  ['used', 'resetPassword', 'This link doesn’t work any more', 'Send me a new link'],
])('a link that is %s is reported, with an offer of a new one', async (code, mode, title, way) => {
  await open(`mode=${mode}&oobCode=${code}`);
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: way }));
  expect(await screen.findByRole('dialog', { name: 'Forgot your password?' })).toBeTruthy();
});

test('a used confirmation link points to the login, which knows more', async () => {
  await open('mode=verifyEmail&oobCode=used');
  expect(await screen.findByRole('heading', { name: 'This link doesn’t work any more' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login');
});

test('an address without a code says what is missing', async () => {
  await open('mode=verifyEmail');
  expect(await screen.findByRole('heading', { name: 'This link doesn’t work' })).toBeTruthy();
});
