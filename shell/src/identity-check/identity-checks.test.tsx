import { muteExpectedLogs } from '@clinic/app-kit/test-environment';
import { addCalls, api } from '@clinic/app-kit';
import { session } from '@clinic/app-kit/host';
import { prepareEnvironment, startTestClinic, type TestClinic } from '@clinic/app-kit/test-clinic';
import { problemAnswer, type SeenRequest, type TestAnswer } from '@clinic/app-kit/test-server';
import type { SessionUser } from '@clinic/contracts';
import { identityCalls } from '@clinic/svc-identity/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openPage } from '../testing/open-page.tsx';

addCalls(identityCalls);

const nadia: SessionUser = {
  email: 'nadia@clinic.example',
  firstName: 'Nadia',
  lastName: 'Rahman',
  role: 'admin',
  emailVerified: true,
};
const password = 'Secret-77';
const wrongCode = 'This code isn’t right or has already been used';

const roleOfA = `/update-role/${'a'.repeat(24)}`;

let clinic: TestClinic;
let proven: boolean;

function proveOrSignIn({ url, body }: SeenRequest): TestAnswer {
  const { code } = body as { readonly code?: string };
  if (url === '/jwt' && code === undefined) return problemAnswer('second_factor_needed');
  if (code !== undefined && code !== '123456')
    return problemAnswer('second_factor_wrong', { errors: [{ field: 'code', message: wrongCode }] });
  proven = true;
  return { json: { user: clinic.user } };
}

beforeAll(prepareEnvironment);
muteExpectedLogs('The answer was rejected');
beforeEach(() => {
  proven = false;
});
afterEach(() => clinic.close());

/** Opens a page, which shows the prompts. */
async function open(user = nadia): Promise<void> {
  clinic = await startTestClinic(user);
  clinic.firebase.accounts.push({ email: user.email, password });
  Object.assign(clinic.answers, {
    [`PATCH ${roleOfA}`]: () =>
      proven ? { json: { role: 'doctor' } } : problemAnswer('proof_needed', { detail: 'Confirm it’s you first.' }),
    'POST /jwt/proof': proveOrSignIn,
    'POST /jwt': proveOrSignIn,
  } satisfies TestClinic['answers']);
  await openPage(clinic, '/', <p>The page</p>);
}

const change = () =>
  api.call('changeRole', { params: { id: 'a'.repeat(24) }, body: { newRole: 'doctor', seen: undefined } });

test('a call that needs a proof asks once for the password, then continues', async () => {
  await open();
  const done = Promise.all([change(), change()]);
  const dialog = await screen.findByRole('dialog', { name: 'Confirm it’s you' });
  expect(screen.getAllByRole('dialog')).toHaveLength(1);
  expect(within(dialog).getByText(nadia.email)).toBeTruthy();

  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText('Password is required')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Password'), 'guessed-it');
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText('This password isn’t right')).toBeTruthy();
  expect(clinic.made()).not.toContain('POST /jwt/proof');

  await userEvent.clear(screen.getByLabelText('Password'));
  await userEvent.type(screen.getByLabelText('Password'), `${password}{Enter}`);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await expect(done).resolves.toEqual([{ role: 'doctor' }, { role: 'doctor' }]);
  // No second session is opened.
  expect(clinic.made().filter((call) => call.startsWith('POST'))).toEqual(['POST /jwt/proof']);
});

test('with an authenticator app it asks for the code or a recovery code, never for the password alone', async () => {
  await open({ ...nadia, secondFactor: true });
  const done = change();
  await userEvent.type(await screen.findByLabelText('Six-digit code'), '000000{Enter}');
  expect(await screen.findByText(wrongCode)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /password/i })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code' }));
  expect(screen.queryByText(wrongCode)).toBeNull();
  await userEvent.type(screen.getByLabelText('Recovery code'), 'ABCD-EFGH{Enter}');
  expect(await screen.findByText(wrongCode)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Use the authenticator app' }));
  await userEvent.type(screen.getByLabelText('Six-digit code'), '123456{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await expect(done).resolves.toEqual({ role: 'doctor' });
});

test('a code sent again after a lost answer has the same key, and another code another', async () => {
  await open({ ...nadia, secondFactor: true });
  const keys: unknown[] = [];
  let lost = 1;
  clinic.answers['POST /jwt/proof'] = (request) => {
    keys.push(request.headers['idempotency-key']);
    const { code } = request.body as { readonly code?: string };
    return code === '123456' && lost-- > 0 ? problemAnswer('unavailable') : proveOrSignIn(request);
  };
  const done = change();
  await userEvent.type(await screen.findByLabelText('Six-digit code'), '000000{Enter}');
  expect(await screen.findByText(wrongCode)).toBeTruthy();
  await userEvent.clear(screen.getByLabelText('Six-digit code'));
  await userEvent.type(screen.getByLabelText('Six-digit code'), '123456{Enter}');
  await waitFor(() => expect(keys).toHaveLength(2));
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }));
  await expect(done).resolves.toEqual({ role: 'doctor' });
  const [typo, ...same] = keys;
  expect(same).toHaveLength(2);
  expect(new Set(same).size).toBe(1);
  expect(same).not.toContain(typo);
});

test('cancelling leaves the call rejected', async () => {
  await open();
  const rejected = expect(change()).rejects.toMatchObject({
    code: 'proof_needed',
    message: 'Nothing has changed because you didn’t confirm it’s you.',
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  await rejected;
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(clinic.made()).toEqual([`PATCH ${roleOfA}`]);
});

test('asks for the second step at a sign-in', async () => {
  await open();
  const signedIn = session.signIn(nadia.email, password);
  await userEvent.type(await screen.findByLabelText('Six-digit code'), '000000{Enter}');
  expect(await screen.findByText(wrongCode)).toBeTruthy();
  await userEvent.clear(screen.getByLabelText('Six-digit code'));
  await userEvent.type(screen.getByLabelText('Six-digit code'), '123456{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await signedIn;
});
