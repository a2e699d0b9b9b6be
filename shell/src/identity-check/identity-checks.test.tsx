import { muteExpectedLogs } from '@clinic/app-kit/test-environment';
import { api } from '@clinic/app-kit';
import { notifications, QueryClientProvider, queryClient, session } from '@clinic/app-kit/host';
import { prepareEnvironment } from '@clinic/app-kit/test-clinic';
import {
  problemAnswer,
  reachServer,
  startTestServer,
  TestFirebase,
  type TestServer,
} from '@clinic/app-kit/test-server';
import type { SessionUser } from '@clinic/contracts';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { IdentityChecks } from './identity-checks.tsx';

const nadia: SessionUser = {
  email: 'nadia@clinic.example',
  firstName: 'Nadia',
  lastName: 'Rahman',
  role: 'admin',
  emailVerified: true,
};
const password = 'Secret-77';
const wrongCode = 'This code isn’t right or has already been used';

let server: TestServer;
let user: SessionUser;
let proven: boolean;

beforeAll(prepareEnvironment);
muteExpectedLogs('The answer was rejected');
beforeEach(async () => {
  user = nadia;
  proven = false;
  notifications.set([]);
  const firebase = new TestFirebase();
  firebase.accounts.push({ email: nadia.email, password });
  server = await startTestServer((request) => {
    const { method, url, body } = request;
    const sent = body as { readonly idToken?: string; readonly code?: string } | undefined;
    if (url === '/jwt/session') return { json: { user } };
    if (url.startsWith('/update-role/'))
      return proven
        ? { json: { role: 'doctor' } }
        : problemAnswer('proof_needed', { detail: 'Confirm it’s you first.' });
    if (url === '/jwt/proof' || (method === 'POST' && url === '/jwt')) {
      if (url === '/jwt' && sent?.code === undefined) return problemAnswer('second_factor_needed');
      if (sent?.code !== undefined && sent.code !== '123456')
        return problemAnswer('second_factor_wrong', { errors: [{ field: 'code', message: wrongCode }] });
      proven = true;
      return { json: { user } };
    }
    return firebase.answer(request) ?? problemAnswer('not_found');
  });
  reachServer(server);
});

afterEach(() => server.close());

async function open(): Promise<void> {
  document.cookie = 'signed_in=1';
  await session.load();
  server.seen.length = 0;
  render(
    <QueryClientProvider client={queryClient}>
      <IdentityChecks />
    </QueryClientProvider>,
  );
}

const change = () => api.call('changeRole', { params: { id: 'a'.repeat(24) }, body: { newRole: 'doctor' } });
/** Changing calls to our services. */
const made = (): string[] =>
  server.seen
    .filter(({ method, url }) => method !== 'GET' && !url.includes('googleapis'))
    .map(({ method, url }) => `${method} ${url}`);

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
  expect(made()).not.toContain('POST /jwt/proof');

  await userEvent.clear(screen.getByLabelText('Password'));
  await userEvent.type(screen.getByLabelText('Password'), `${password}{Enter}`);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await expect(done).resolves.toEqual([{ role: 'doctor' }, { role: 'doctor' }]);
  // No second session is opened.
  expect(made().filter((call) => call.startsWith('POST'))).toEqual(['POST /jwt/proof']);
});

test('with an authenticator app it asks for the code, and accepts a recovery code or the password', async () => {
  user = { ...nadia, secondFactor: true };
  await open();
  const done = change();
  await userEvent.type(await screen.findByLabelText('Six-digit code'), '000000{Enter}');
  expect(await screen.findByText(wrongCode)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Use my password or Google' }));
  expect(screen.queryByText(wrongCode)).toBeNull();
  expect(screen.getByLabelText('Password')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code' }));
  await userEvent.type(screen.getByLabelText('Recovery code'), 'ABCD-EFGH{Enter}');
  expect(await screen.findByText(wrongCode)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Use the authenticator app' }));
  await userEvent.type(screen.getByLabelText('Six-digit code'), '123456{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await expect(done).resolves.toEqual({ role: 'doctor' });
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
  expect(made()).toEqual([`PATCH /update-role/${'a'.repeat(24)}`]);
});

test('asks for the second step at a sign-in', async () => {
  await open();
  const signedIn = session.signIn(nadia.email, password);
  await userEvent.type(await screen.findByLabelText('Six-digit code'), '000000{Enter}');
  expect(await screen.findByText(wrongCode)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Use my password or Google' })).toBeNull();
  await userEvent.clear(screen.getByLabelText('Six-digit code'));
  await userEvent.type(screen.getByLabelText('Six-digit code'), '123456{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await signedIn;
});
