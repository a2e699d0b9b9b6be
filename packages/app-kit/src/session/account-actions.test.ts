/** @jest-environment node */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { SessionUser } from '@clinic/contracts';
import pWaitFor from 'p-wait-for';
import { createAccountActions, type AccountActions } from './account-actions.ts';
import { createApi } from '../api/api-client.ts';
import { openFirebase } from './firebase-auth.ts';
import { createIdentityChecks, type IdentityAnswer, type IdentityChecks } from './identity-check.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { createSessionStore } from './session-store.ts';
import type { SessionStore } from './session-types.ts';
import {
  problemAnswer,
  startTestServer,
  type SeenRequest,
  type TestHandler,
  type TestServer,
} from '../testing/test-server.ts';

const root = path.resolve(__dirname, '../../../..');
const project = 'demo-clinic';
const dataDir = mkdtempSync(path.join(tmpdir(), 'account-actions-'));

let emulator: ChildProcess;
let emulatorUrl: string;
let server: TestServer;
let answers: Record<string, TestHandler>;
let checks: IdentityChecks;
let provider: IdentityProvider;
let store: SessionStore;
let account: AccountActions;
/** What the person answers; `undefined`: they cancel. */
let given: IdentityAnswer | undefined;
let asked: string[];
let people = 0;
let email: string;

const calls = (): string[] => server.seen.map(({ method, url }) => `${method} ${url}`);

/** The claims of an ID token; the emulator's aren't signed. */
function claimsOf({ headers }: SeenRequest): Record<string, unknown> {
  return JSON.parse(Buffer.from(String(headers.authorization).split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >;
}

beforeAll(async () => {
  // The emulator needs the project's Node version.
  emulator = spawn(path.join(root, 'node_modules/.bin/node'), ['stand-ins/auth-emulator/src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, AUTH_EMULATOR_PORT: '0', AUTH_EMULATOR_DATA_DIR: dataDir, FIREBASE_PROJECT_ID: project },
  });
  if (!emulator.stdout) throw new Error('the emulator has no output');
  for await (const line of createInterface(emulator.stdout)) {
    const entry = JSON.parse(line) as { msg: string; url: string };
    if (entry.msg !== 'listening') continue;
    emulatorUrl = entry.url;
    break;
  }
  Object.assign(globalThis, { location: { origin: emulatorUrl } });
  provider = openFirebase({
    demoMode: true,
    emulator: true,
    firebase: { apiKey: 'demo-key', authDomain: 'demo.example', projectId: project },
    clinicTimeZone: 'Asia/Dhaka',
  });
});

afterAll(async () => {
  const ended = once(emulator, 'exit');
  emulator.kill('SIGTERM');
  await ended;
  rmSync(dataDir, { recursive: true });
});

beforeEach(async () => {
  people += 1;
  email = `person.${people}@mail.example`;
  asked = [];
  given = { by: 'password', password: 'Secret-77' };
  answers = {
    'POST /jwt': (request) => ({ json: { user: userOf(request) } }),
    'POST /users': () => ({ json: {} }),
  };
  server = await startTestServer(
    (request) => answers[`${request.method} ${request.url}`]?.(request) ?? problemAnswer('not_found'),
  );
  checks = createIdentityChecks();
  checks.subscribe(() => {
    const [first] = checks.get();
    if (!first) return;
    asked.push(first.kind);
    if (given) void first.answer(given);
    else first.cancel();
  });
  await provider.signOut();
  await openPage();
});

afterEach(() => server.close());

/** A newly loaded page. @param known - who is logged in according to the browser's cookies */
async function openPage(known?: SessionUser): Promise<void> {
  const api = createApi({ baseUrl: server.url, refresh: () => store.refresh(), prove: () => store.prove() });
  answers['GET /jwt/session'] = () => (known ? { json: { user: known } } : problemAnswer('unauthenticated'));
  // The provider's auth state reports would reach the stores of all tests, so each creates its own.
  store = createSessionStore({
    api,
    checks,
    tellOfWork: () => () => undefined,
    hasHint: () => known !== undefined,
    loadProvider: () => Promise.resolve({ ...provider, onReport: () => undefined }),
    openChannel: () => ({ postMessage: () => undefined, addEventListener: () => undefined }),
  });
  account = createAccountActions(store, api);
  await store.load();
}

function userOf(request: SeenRequest): SessionUser {
  const { email: address, email_verified: emailVerified } = claimsOf(request);
  return {
    email: String(address),
    firstName: 'Ann',
    lastName: 'Lee',
    role: 'patient',
    emailVerified: emailVerified === true,
  };
}

async function register(): Promise<void> {
  await store.createAccount(
    { firstName: 'Ann', lastName: 'Lee', email, phone: '+880 1', dateOfBirth: '1990-01-01' },
    'Secret-77',
  );
  // Registering doesn't wait for its mail.
  await mailed('VERIFY_EMAIL');
  server.seen.length = 0;
}

/** The code in the last mail of a kind to an address. */
async function mailed(kind: string, to = email): Promise<{ readonly oobCode: string; readonly oobLink: string }> {
  return pWaitFor(
    async () => {
      const answer = await fetch(`${emulatorUrl}/emulator/v1/projects/${project}/oobCodes`);
      const { oobCodes } = (await answer.json()) as {
        oobCodes: { email: string; requestType: string; oobCode: string; oobLink: string }[];
      };
      const letter = oobCodes.findLast((one) => one.requestType === kind && one.email === to);
      return letter !== undefined && pWaitFor.resolveWith(letter);
    },
    { timeout: { milliseconds: 30_000, message: `no ${kind} for ${to}` } },
  );
}

const canLogInWith = (address: string, password: string): Promise<boolean> =>
  provider.signIn(address, password).then(
    () => true,
    () => false,
  );

test('confirms the address in the browser that registered, and passes a new proof to our server', async () => {
  await register();
  expect(store.get().user).toMatchObject({ email, emailVerified: false });
  const { oobCode } = await mailed('VERIFY_EMAIL');
  expect(await account.readCode(oobCode)).toEqual({ mode: 'verifyEmail', email, previousEmail: undefined });
  await account.confirmEmail(oobCode, email, { by: 'password', password: 'Secret-77' });
  expect(calls()).toEqual(['POST /jwt']);
  expect(store.get().user).toMatchObject({ email, emailVerified: true });
});

test('logs in first in another browser, so that our server knows who reads the mail', async () => {
  await register();
  const { oobCode } = await mailed('VERIFY_EMAIL');
  await openPage();
  await account.confirmEmail(oobCode, email, { by: 'password', password: 'Secret-77' });
  expect(
    server.seen.map((request) => [`${request.method} ${request.url}`, claimsOf(request)['email_verified']]),
  ).toEqual([
    ['POST /jwt', false],
    ['POST /jwt', true],
  ]);
});

test('confirms nothing without a login', async () => {
  await register();
  const { oobCode } = await mailed('VERIFY_EMAIL');
  await expect(account.confirmEmail(oobCode, email, { by: 'password', password: 'guessed-it' })).rejects.toMatchObject({
    code: 'auth/invalid-credential',
  });
  expect(calls()).toEqual([]);
  expect(await account.readCode(oobCode)).toMatchObject({ mode: 'verifyEmail' });
});

test('resends the confirmation without asking somebody who has just signed in, and passes on where to continue', async () => {
  await register();
  const before = (await mailed('VERIFY_EMAIL')).oobCode;
  expect(await account.sendConfirmation('https://clinic.example/register?invitation=abc')).toBe(true);
  const { oobCode, oobLink } = await mailed('VERIFY_EMAIL');
  expect(oobCode).not.toBe(before);
  expect(new URL(oobLink).searchParams.get('continueUrl')).toBe('https://clinic.example/register?invitation=abc');
  expect(asked).toEqual([]);
});

test('asks for the password first after a reload, and sends nothing if cancelled', async () => {
  await register();
  await provider.signOut();
  await openPage(store.get().user);
  given = undefined;
  expect(await account.sendConfirmation()).toBe(false);
  given = { by: 'password', password: 'Secret-77' };
  expect(await account.sendConfirmation()).toBe(true);
  expect(asked).toEqual(['mail', 'mail']);
  // Signing in at the provider doesn't open a session of ours.
  expect(calls().filter((call) => call === 'POST /jwt')).toEqual([]);
});

test('changes the password and ends all other sessions', async () => {
  await register();
  expect(await account.changePassword('Better-88-words')).toBe(true);
  expect(server.seen.map(({ body }) => body)).toEqual([{ email, passwordChanged: true, longPassword: true }]);
  expect([await canLogInWith(email, 'Secret-77'), await canLogInWith(email, 'Better-88-words')]).toEqual([false, true]);
});

test('resets a forgotten password and logs in with it', async () => {
  await register();
  await provider.sendPasswordReset(email);
  const { oobCode } = await mailed('PASSWORD_RESET');
  expect(await account.readCode(oobCode)).toEqual({ mode: 'resetPassword', email, previousEmail: undefined });
  await account.resetPassword(oobCode, email, 'Better-88-words');
  const [opened] = server.seen;
  expect(opened?.body).toEqual({ email, passwordChanged: true, longPassword: true });
  // Reading the mail of an address proves that it is theirs.
  expect(opened && claimsOf(opened)['email_verified']).toBe(true);
  await expect(account.readCode(oobCode)).rejects.toMatchObject({ code: 'auth/invalid-action-code' });
  expect(account.reasonFor(await account.readCode(oobCode).catch((error: unknown) => error))).toBe(
    'This link is incomplete or has already been used.',
  );
});

test('moves to a new address once its owner signs in with the old one', async () => {
  await register();
  const to = `new.${email}`;
  expect(await account.changeEmail(to)).toBe(true);
  const { oobCode } = await mailed('VERIFY_AND_CHANGE_EMAIL');
  expect(await account.readCode(oobCode)).toEqual({ mode: 'verifyAndChangeEmail', email: to, previousEmail: email });
  await expect(
    account.confirmNewEmail(oobCode, { from: email, to }, { by: 'password', password: 'guessed-it' }),
  ).rejects.toMatchObject({ code: 'auth/invalid-credential' });
  await account.confirmNewEmail(oobCode, { from: email, to }, { by: 'password', password: 'Secret-77' });
  const [opened] = server.seen;
  expect([opened?.body, opened && claimsOf(opened)['email_verified']]).toEqual([{ email: to }, true]);
  expect([await canLogInWith(email, 'Secret-77'), await canLogInWith(to, 'Secret-77')]).toEqual([false, true]);
});

test('an address pasted with invisible characters is the same account, wherever it goes', async () => {
  const pasted = (address: string) => ` \u202a\ufeff${address.replace('person', 'per\u200bson')}\u202c `;
  await store.createAccount(
    { firstName: 'Ann', lastName: 'Lee', email: pasted(email), phone: '+880 1', dateOfBirth: '1990-01-01' },
    'Secret-77',
  );
  expect(store.get().user?.email).toBe(email);
  expect([await canLogInWith(email, 'Secret-77'), await canLogInWith(pasted(email), 'Secret-77')]).toEqual([
    true,
    true,
  ]);
  await store.sendPasswordReset(pasted(email));
  await mailed('PASSWORD_RESET');
  expect(await account.changeEmail(pasted(`new.${email}`))).toBe(true);
  const { oobCode } = await mailed('VERIFY_AND_CHANGE_EMAIL');
  expect(await account.readCode(oobCode)).toMatchObject({ email: `new.${email}` });
});

test('links Google, ends the other sessions, and unlinks it again', async () => {
  await register();
  const id = (letter: string): string => letter.repeat(24);
  answers[`GET /users/${encodeURIComponent(email)}/sessions`] = () => ({
    json: [
      { _id: id('a'), current: true },
      { _id: id('b'), current: false },
    ],
  });
  answers[`DELETE /users/${encodeURIComponent(email)}/sessions/${id('b')}`] = () => ({ status: 204 });
  expect(await account.confirmIdentity()).toEqual(['password']);
  expect(await account.linkGoogle(() => Promise.resolve(undefined))).toBeUndefined();
  const linked = await account.linkGoogle(() => Promise.resolve({ email, name: 'Ann Lee' }));
  expect([...(linked ?? [])].sort()).toEqual(['google', 'password']);
  expect(calls()).toEqual([
    'POST /jwt',
    `GET /users/${encodeURIComponent(email)}/sessions`,
    `DELETE /users/${encodeURIComponent(email)}/sessions/${id('b')}`,
  ]);
  expect(await account.unlinkGoogle()).toEqual(['password']);
});
