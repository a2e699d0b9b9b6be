import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { deleteUser } from 'firebase/auth';
import { OriginalAjv } from './firebase-internals.ts';
import { startAuthEmulator } from './index.ts';
import { password, startSdk } from './testing/sdk.ts';

const projectId = 'demo-clinic';

const connectedHosts = new Set<string>();
subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: Socket };
  socket.on('connect', () => connectedHosts.add(String(socket.remoteAddress)));
  socket.on('lookup', (_error: Error | null, _address: string, _family: string | number, host: string) =>
    connectedHosts.add(host),
  );
});

const sdk = await startSdk(projectId);
after(() => sdk.close());
const { admin, dataFile, signUp, signIn, signInWithGoogle } = sdk;

/** Signs in through the gateway, which states the visitor's address, or directly. */
const signInFrom = (email: string, guess: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${sdk.url}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email, password: guess, returnSecureToken: true }),
  });

describe('Auth emulator', () => {
  it('signs up and signs in with a password', async () => {
    const { user } = await signUp('ada@example.org');
    const again = await signIn('ada@example.org');
    assert.equal(again.user.uid, user.uid);
    assert.equal(again.user.emailVerified, false);
  });

  it('checks a body against its schema, but spends no time on checking the schema', async (t) => {
    const checked = t.mock.method(OriginalAjv.prototype, 'validateSchema');
    const answer = await fetch(`${sdk.url}/identitytoolkit.googleapis.com/v1/accounts:lookup?key=any`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ idToken: {} }),
    });
    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /idToken must be string/);
    assert.equal(checked.mock.callCount(), 0);
  });

  it('gives the same error for a wrong password and an unknown address', async () => {
    await signUp('bob@example.org');
    const rejected = { code: 'auth/invalid-credential' };
    await assert.rejects(signIn('bob@example.org', 'wrong horse'), rejected);
    await assert.rejects(signIn('nobody@example.org'), rejected);
  });

  it('rejects a second account with the same address', async () => {
    await signUp('carol@example.org');
    await assert.rejects(signUp('Carol@Example.org'), { code: 'auth/email-already-in-use' });
  });

  it('gives a Google account the same uid each time', async () => {
    const first = await signInWithGoogle('google-1', 'grace@example.org');
    const second = await signInWithGoogle('google-1', 'grace@example.org');
    const other = await signInWithGoogle('google-2', 'other@example.org');
    assert.equal(second.user.uid, first.user.uid);
    assert.notEqual(other.user.uid, first.user.uid);
    assert.equal(first.user.emailVerified, true);
  });

  it('issues ID tokens that firebase-admin accepts until the account is disabled', async () => {
    const { user } = await signUp('dave@example.org');
    const token = await user.getIdToken();
    const claims = await admin.verifyIdToken(token, true);
    assert.equal(claims.uid, user.uid);
    assert.equal(claims.email, 'dave@example.org');
    assert.equal(claims.aud, projectId);
    assert.ok(Math.abs(claims.auth_time - Date.now() / 1000) < 60);

    await admin.updateUser(user.uid, { disabled: true });
    await assert.rejects(admin.verifyIdToken(token, true), { code: 'auth/user-disabled' });
  });

  it('blocks only the address that guesses a password', async () => {
    await signUp('gil@example.org');
    const attempt = async (guess: string, headers = {}) => {
      const answer = await signInFrom('gil@example.org', guess, headers);
      return {
        status: answer.status,
        wait: answer.headers.get('retry-after'),
        body: (await answer.json()) as { readonly error?: { readonly code: number; readonly message: string } },
      };
    };
    const attacker = { 'x-forwarded-for': '203.0.113.1' };
    const guesses = await Promise.all(Array.from({ length: 30 }, (_, guess) => attempt(`guess ${guess}`, attacker)));
    assert.equal(
      guesses.filter(({ status, body }) => status === 400 && body.error?.message === 'INVALID_LOGIN_CREDENTIALS')
        .length,
      10,
    );
    const rejected = guesses.filter(({ status }) => status === 429);
    assert.equal(rejected.length, 20);
    for (const { wait, body } of rejected) {
      assert.ok(Number(wait) >= 1 && Number(wait) <= 60, String(wait));
      assert.deepEqual([body.error?.code, body.error?.message], [429, 'TOO_MANY_ATTEMPTS_TRY_LATER']);
    }
    // Not even the right one is accepted, or a right guess could be recognised.
    assert.equal((await attempt(password, attacker)).status, 429);
    assert.equal((await attempt(password, { 'x-forwarded-for': '203.0.113.2' })).status, 200);
    // Requests of services and tests bypass the gateway, and the limits.
    for (let time = 0; time < 12; time += 1) assert.equal((await attempt('wrong horse')).status, 400);
  });

  it('lets the owner in from a known device while the account is attacked from everywhere, even after a restart', async () => {
    await signUp('hal@example.org');
    const attempt = (address: string, guess: string, more = {}) =>
      signInFrom('hal@example.org', guess, { 'x-forwarded-for': address, ...more });
    const before = await attempt('198.51.100.1', password);
    const [field = ''] = before.headers.getSetCookie();
    const [cookie = ''] = field.split(';');
    assert.match(cookie, /^clinic_device_/);
    assert.deepEqual((await attempt('198.51.100.1', 'wrong horse')).headers.getSetCookie(), []);
    await sdk.restart();
    const guesses = await Promise.all(
      Array.from({ length: 11 }, (_, network) =>
        Array.from({ length: 10 }, (_, guess) => attempt(`203.0.113.${network}`, `guess ${guess}`)),
      ).flat(),
    );
    assert.deepEqual(
      [400, 429].map((status) => guesses.filter((answer) => answer.status === status).length),
      [100, 10],
    );
    assert.equal((await attempt('198.51.100.2', password)).status, 429);
    assert.equal((await attempt('198.51.100.2', password, { cookie })).status, 200);
  });

  it('writes a new account to disk before it responds', async () => {
    const { user } = await signUp('frank@example.org');
    assert.ok((await readFile(dataFile, 'utf8')).includes(user.uid));
    await deleteUser(user);
    assert.ok(!(await readFile(dataFile, 'utf8')).includes(user.uid));
  });

  it('keeps accounts, sessions and linked providers across restarts', async () => {
    const { user } = await signUp('heidi@example.org');
    await admin.setCustomUserClaims(user.uid, { seeded: true });
    const google = await signInWithGoogle('google-3', 'ivan@example.org');
    await admin.updateUser(google.user.uid, { password, phoneNumber: '+15550100' });
    const stored = async () =>
      (await Promise.all([user.uid, google.user.uid].map((uid) => admin.getUser(uid)))).map(String);
    const inDetail = async () => JSON.stringify((await admin.listUsers()).users);
    const before = await stored();
    const listed = await inDetail();

    await sdk.restart();
    await sdk.restart();

    assert.deepEqual(await stored(), before);
    assert.deepEqual(byUid(await inDetail()), byUid(listed));
    await user.getIdToken(true);
    assert.equal((await signInWithGoogle('google-3', 'ivan@example.org')).user.uid, google.user.uid);
    assert.equal((await signIn('ivan@example.org')).user.uid, google.user.uid);
  });

  it('rejects the data file of another project', async () => {
    await assert.rejects(startAuthEmulator({ port: 0, projectId: 'demo-other', dataFile }), {
      message: `${dataFile}: these are the accounts of project demo-clinic, but FIREBASE_PROJECT_ID is demo-other`,
    });
  });

  it('listens on loopback and connects to nothing else', () => {
    assert.equal(new URL(sdk.url).hostname, '127.0.0.1');
    assert.deepEqual([...connectedHosts], ['127.0.0.1']);
  });
});

interface ListedUser {
  uid: string;
  providerData: { providerId: string }[];
}

/** The order in which providers were linked isn't kept. */
function byUid(json: string): ListedUser[] {
  const users = JSON.parse(json) as ListedUser[];
  for (const user of users) user.providerData.sort((a, b) => a.providerId.localeCompare(b.providerId));
  return users.sort((a, b) => a.uid.localeCompare(b.uid));
}
