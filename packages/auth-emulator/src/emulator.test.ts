import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { deleteApp as deleteAdminApp, initializeApp as initializeAdminApp } from 'firebase-admin/app';
import type { App as AdminApp } from 'firebase-admin/app';
import { getAuth as getAdminAuth } from 'firebase-admin/auth';
import type { Auth as AdminAuth } from 'firebase-admin/auth';
import { deleteApp, initializeApp } from 'firebase/app';
import type { FirebaseApp } from 'firebase/app';
import {
  confirmPasswordReset,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  deleteUser,
  GoogleAuthProvider,
  initializeAuth,
  inMemoryPersistence,
  sendPasswordResetEmail,
  signInWithCredential,
  signInWithEmailAndPassword,
  verifyPasswordResetCode,
} from 'firebase/auth';
import type { Auth, UserCredential } from 'firebase/auth';
import { startAuthEmulator } from './index.ts';
import type { AuthEmulator } from './index.ts';

const projectId = 'demo-clinic';
const password = 'correct horse';

const connectedHosts = new Set<string>();
subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: Socket };
  socket.on('connect', () => connectedHosts.add(String(socket.remoteAddress)));
  socket.on('lookup', (_error: Error | null, _address: string, _family: string | number, host: string) =>
    connectedHosts.add(host),
  );
});

describe('Auth emulator', () => {
  let folder: string;
  let dataFile: string;
  let emulator: AuthEmulator;
  let clients: FirebaseApp[] = [];
  let adminApp: AdminApp;
  let admin: AdminAuth;

  /** A fresh Firebase SDK, as in a new browser. */
  function newClient(): Auth {
    const app = initializeApp({ apiKey: 'any', projectId }, crypto.randomUUID());
    clients.push(app);
    const auth = initializeAuth(app, { persistence: inMemoryPersistence });
    connectAuthEmulator(auth, emulator.url, { disableWarnings: true });
    return auth;
  }

  function signUp(email: string): Promise<UserCredential> {
    return createUserWithEmailAndPassword(newClient(), email, password);
  }

  function signInWithGoogle(sub: string, email: string): Promise<UserCredential> {
    const credential = GoogleAuthProvider.credential(JSON.stringify({ sub, email, email_verified: true, name: 'Ada' }));
    return signInWithCredential(newClient(), credential);
  }

  async function restart(): Promise<void> {
    const { port } = emulator;
    await emulator.close();
    emulator = await startAuthEmulator({ port, projectId, dataFile });
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'auth-emulator-'));
    dataFile = join(folder, 'accounts.json');
    emulator = await startAuthEmulator({ port: 0, projectId, dataFile });
    process.env['FIREBASE_AUTH_EMULATOR_HOST'] = new URL(emulator.url).host;
    adminApp = initializeAdminApp({ projectId });
    admin = getAdminAuth(adminApp);
  });

  after(async () => {
    await Promise.all(clients.map(deleteApp));
    clients = [];
    await deleteAdminApp(adminApp);
    await emulator.close();
    await rm(folder, { recursive: true });
  });

  it('signs up and signs in with a password', async () => {
    const { user } = await signUp('ada@example.org');
    const again = await signInWithEmailAndPassword(newClient(), 'ada@example.org', password);
    assert.equal(again.user.uid, user.uid);
    assert.equal(again.user.emailVerified, false);
  });

  it('gives the same error for a wrong password and an unknown address', async () => {
    await signUp('bob@example.org');
    const rejected = { code: 'auth/invalid-credential' };
    await assert.rejects(signInWithEmailAndPassword(newClient(), 'bob@example.org', 'wrong horse'), rejected);
    await assert.rejects(signInWithEmailAndPassword(newClient(), 'nobody@example.org', password), rejected);
  });

  it('accepts a password reset for an unknown address, without a code', async () => {
    await sendPasswordResetEmail(newClient(), 'nobody@example.org');
    assert.equal(await codeFor('nobody@example.org'), undefined);
  });

  it('rejects a second account with the same address and a short password', async () => {
    await signUp('carol@example.org');
    await assert.rejects(signUp('Carol@Example.org'), { code: 'auth/email-already-in-use' });
    await assert.rejects(createUserWithEmailAndPassword(newClient(), 'short@example.org', '12345'), {
      code: 'auth/weak-password',
    });
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

  it('resets a password by code, once', async () => {
    await signUp('erin@example.org');
    await sendPasswordResetEmail(newClient(), 'erin@example.org');
    const code = await codeFor('erin@example.org');
    assert.ok(code);

    assert.equal(await verifyPasswordResetCode(newClient(), code), 'erin@example.org');
    await confirmPasswordReset(newClient(), code, 'a new password');

    await signInWithEmailAndPassword(newClient(), 'erin@example.org', 'a new password');
    await assert.rejects(signInWithEmailAndPassword(newClient(), 'erin@example.org', password), {
      code: 'auth/invalid-credential',
    });
    await assert.rejects(confirmPasswordReset(newClient(), code, 'another one'), { code: 'auth/invalid-action-code' });
  });

  it('blocks only the address that guesses a password', async () => {
    await signUp('gil@example.org');
    const signIn = async (address: string | undefined, guess: string) => {
      const answer = await fetch(
        `${emulator.url}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(address !== undefined && { 'x-forwarded-for': address }) },
          body: JSON.stringify({ email: 'gil@example.org', password: guess, returnSecureToken: true }),
        },
      );
      return {
        status: answer.status,
        wait: answer.headers.get('retry-after'),
        body: (await answer.json()) as { readonly error?: { readonly code: number; readonly message: string } },
      };
    };
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, guess) => signIn('203.0.113.1', `guess ${guess}`)),
    );
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
    assert.equal((await signIn('203.0.113.1', password)).status, 429);
    assert.equal((await signIn('203.0.113.2', password)).status, 200);
    // Requests of services and tests bypass the gateway, and the limits.
    for (let time = 0; time < 12; time += 1) assert.equal((await signIn(undefined, 'wrong horse')).status, 400);
  });

  it('lets the owner in from a known device while the account is attacked from everywhere, even after a restart', async () => {
    await signUp('hal@example.org');
    const signIn = (address: string, guess: string, cookie?: string) =>
      fetch(`${emulator.url}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': address,
          ...(cookie !== undefined && { cookie }),
        },
        body: JSON.stringify({ email: 'hal@example.org', password: guess, returnSecureToken: true }),
      });
    const before = await signIn('198.51.100.1', password);
    const [field = ''] = before.headers.getSetCookie();
    const [cookie = ''] = field.split(';');
    assert.match(cookie, /^clinic_device_/);
    assert.deepEqual((await signIn('198.51.100.1', 'wrong horse')).headers.getSetCookie(), []);
    await restart();
    const guesses = await Promise.all(
      Array.from({ length: 11 }, (_, network) =>
        Array.from({ length: 10 }, (_, guess) => signIn(`203.0.113.${network}`, `guess ${guess}`)),
      ).flat(),
    );
    assert.deepEqual(
      [400, 429].map((status) => guesses.filter((answer) => answer.status === status).length),
      [100, 10],
    );
    assert.equal((await signIn('198.51.100.2', password)).status, 429);
    assert.equal((await signIn('198.51.100.2', password, cookie)).status, 200);
  });

  it('writes a new account to disk before it responds', async () => {
    const { user } = await signUp('frank@example.org');
    assert.ok((await readFile(dataFile, 'utf8')).includes(user.uid));
    await deleteUser(user);
    assert.ok(!(await readFile(dataFile, 'utf8')).includes(user.uid));
  });

  it('keeps accounts, sessions, codes and linked providers across restarts', async () => {
    const { user } = await signUp('heidi@example.org');
    await admin.setCustomUserClaims(user.uid, { seeded: true });
    const google = await signInWithGoogle('google-3', 'ivan@example.org');
    await admin.updateUser(google.user.uid, { password, phoneNumber: '+15550100' });
    await sendPasswordResetEmail(newClient(), 'heidi@example.org');
    const stored = async () =>
      (await Promise.all([user.uid, google.user.uid].map((uid) => admin.getUser(uid)))).map(String);
    const inDetail = async () => JSON.stringify((await admin.listUsers()).users);
    const before = await stored();
    const listed = await inDetail();

    await restart();
    await restart();

    assert.deepEqual(await stored(), before);
    assert.deepEqual(byUid(await inDetail()), byUid(listed));
    await user.getIdToken(true);
    assert.ok(await codeFor('heidi@example.org'));
    assert.equal((await signInWithGoogle('google-3', 'ivan@example.org')).user.uid, google.user.uid);
    assert.equal(
      (await signInWithEmailAndPassword(newClient(), 'ivan@example.org', password)).user.uid,
      google.user.uid,
    );
  });

  it('rejects the data file of another project', async () => {
    await assert.rejects(startAuthEmulator({ port: 0, projectId: 'demo-other', dataFile }), {
      message: `${dataFile}: these are the accounts of project demo-clinic, but FIREBASE_PROJECT_ID is demo-other`,
    });
  });

  it('listens on loopback and connects to nothing else', () => {
    assert.equal(new URL(emulator.url).hostname, '127.0.0.1');
    assert.deepEqual([...connectedHosts], ['127.0.0.1']);
  });

  async function codeFor(email: string): Promise<string | undefined> {
    const response = await fetch(`${emulator.url}/emulator/v1/projects/${projectId}/oobCodes`);
    const { oobCodes } = (await response.json()) as { oobCodes: { email: string; oobCode: string }[] };
    return oobCodes.find((code) => code.email === email)?.oobCode;
  }
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
