import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { getAuth } from 'firebase-admin/auth';
import { initializeApp } from 'firebase-admin/app';
import { demoAccounts, demoPassword, demoUsers } from '@clinic/demo-data';
import { startService } from '@clinic/service-kit';
import { identityService } from './service.ts';
import { loadSigningKey } from './sessions/signing-key.ts';
import { openBrowser } from './test/browser.ts';
import { projectId, startIdentityStack, type IdentityStack } from './test/identity-stack.ts';

let stack: IdentityStack;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'identity-start-'));
  stack = await startIdentityStack({ DEMO_MODE: 'true' });
});
after(async () => {
  await stack.close();
  await rm(folder, { recursive: true });
});

const signInDemo = async (email: string): Promise<number> => {
  const answer = await fetch(`${stack.emulator.url}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=x`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ email, password: demoPassword, returnSecureToken: true }),
  });
  const { idToken = '' } = (await answer.json()) as { idToken?: string };
  return (await openBrowser(stack.url).startSession(email, idToken)).status;
};

test('seeds the demo users with accounts that can sign in', async () => {
  assert.equal(await stack.users.countDocuments(), demoUsers.length);
  for (const [role, email] of Object.entries(demoAccounts)) {
    assert.equal(await signInDemo(email), 200);
    const user = await stack.user(email);
    assert.deepEqual([user.role, user.emailVerified, user.registered], [role, true, true]);
  }
});

test('seeds once, also with several replicas, and leaves changes alone', async () => {
  await stack.users.updateOne({ email: demoAccounts.patient }, { $set: { firstName: 'Changed' } });
  await Promise.all([stack.addReplica(), stack.addReplica()]);
  assert.equal(await stack.users.countDocuments(), demoUsers.length);
  assert.equal((await stack.user(demoAccounts.patient)).firstName, 'Changed');
});

test('writes no demo data where people have been at work, should demo mode be switched on by mistake', async () => {
  const real = await stack.addReplica({ MONGODB_DATABASE: 'identity-lived', DEMO_MODE: 'false' });
  const signedIn = await openBrowser(real.url).startSession('somebody@clinic.example', await stack.signUp('somebody@clinic.example'));
  assert.equal(signedIn.status, 200);
  const mistaken = await stack.addReplica({ MONGODB_DATABASE: 'identity-lived', DEMO_MODE: 'true' });
  const users = await mistaken.context.db.collection('users').find().toArray();
  assert.deepEqual(users.map(({ email }) => String(email)), ['somebody@clinic.example']);
  assert.equal(await mistaken.context.db.collection<{ _id: string }>('markers').countDocuments({ _id: 'demo-seed' }), 0);
  assert.equal(stack.log.filter((line) => line.includes('this database is a real one: no demo data are written')).length, 1);
});

test('repairs the accounts when the emulator has lost its data', async () => {
  const auth = getAuth(initializeApp({ projectId }, 'repair-test'));
  const lost = (await stack.user(demoAccounts.doctor)).uid ?? '';
  await auth.deleteUser(lost);
  await stack.addReplica();
  assert.notEqual((await stack.user(demoAccounts.doctor)).uid, lost);
  assert.equal(await signInDemo(demoAccounts.doctor), 200);
});

test('repairs the users when the database has lost its data', async () => {
  const replica = await stack.addReplica({ MONGODB_DATABASE: 'identity-new' });
  const users = replica.context.db.collection('users');
  assert.equal(await users.countDocuments({ uid: { $exists: true } }), demoUsers.length);
  assert.equal((await users.findOne({ email: demoAccounts.admin }))?.['uid'], (await stack.user(demoAccounts.admin)).uid);
});

const failure = async (env: Record<string, string>): Promise<string> => {
  try {
    const service = await startService(identityService(), { env: { ...stack.env, LOG_LEVEL: 'silent', ...env } });
    await service.close();
  } catch (error) {
    return (error as Error).message;
  }
  return 'started';
};

test('refuses the emulator in production unless it is a demo', async () => {
  assert.match(await failure({ NODE_ENV: 'production', DEMO_MODE: 'false' }), /^FIREBASE_AUTH_EMULATOR_HOST is wrong: in production it must be unset/);
  assert.equal(await failure({ NODE_ENV: 'production', DEMO_MODE: 'true' }), 'started');
});

test('wants a key outside demo mode, and says which', async () => {
  const missing = join(folder, 'none.pem');
  assert.match(await failure({ DEMO_MODE: 'false', SESSION_KEY_FILE: missing }), /^SESSION_KEY_FILE is wrong: there is no file .*none\.pem; it must be .*for example SESSION_KEY_FILE=/);
  const rubbish = join(folder, 'rubbish.pem');
  await writeFile(rubbish, 'not a key');
  assert.match(await failure({ SESSION_KEY_FILE: rubbish }), /^SESSION_KEY_FILE is wrong: .*rubbish\.pem holds no such key/);
});

test('makes one key that only its owner can read, however many start at once', async () => {
  const path = join(folder, 'deep', 'key.pem');
  const keys = await Promise.all(Array.from({ length: 8 }, () => loadSigningKey(path, true)));
  assert.equal(new Set(keys.map(({ kid }) => kid)).size, 1);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.match(await readFile(path, 'utf8'), /^-----BEGIN PRIVATE KEY-----/);
});

test('reads a JWK as well', async () => {
  const { privateKey, kid } = await loadSigningKey(join(folder, 'first.pem'), true);
  const path = join(folder, 'key.jwk');
  await writeFile(path, JSON.stringify(privateKey.export({ format: 'jwk' })));
  assert.equal((await loadSigningKey(path, false)).kid, kid);
});

// The last one: firebase-admin reads from the whole process whether there is an emulator.
test('with a real project, needs no service account, and the unsigned tokens of an emulator prove nothing', async () => {
  const proof = await stack.signUp('unsigned@clinic.example');
  const real = await stack.addReplica({ NODE_ENV: 'production', DEMO_MODE: 'false', FIREBASE_AUTH_EMULATOR_HOST: '', FIREBASE_PROJECT_ID: 'clinic-real', MONGODB_DATABASE: 'identity-real' });
  const browser = openBrowser(real.url);
  assert.equal((await browser.startSession('unsigned@clinic.example', proof)).status, 401);
  assert.equal(browser.cookies.size, 0);
  assert.equal(await real.context.db.collection('users').countDocuments(), 0);
});
