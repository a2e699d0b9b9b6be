import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { getAuth } from 'firebase-admin/auth';
import { initializeApp } from 'firebase-admin/app';
import { demoAccounts, demoPassword, demoUsers } from '@clinic/demo-data';
import { startService } from '@clinic/service-kit';
import { identityService } from './service.ts';
import { loadSigningKey } from './sessions/signing-key.ts';
import { openBrowser } from './testing/browser.ts';
import { projectId, startIdentityStack } from './testing/identity-stack.ts';

const folder = await mkdtemp(join(tmpdir(), 'identity-start-'));
const stack = await startIdentityStack({ DEMO_MODE: 'true' });
after(async () => {
  await stack.close();
  await rm(folder, { recursive: true });
});

const signInDemo = async (email: string): Promise<number> =>
  (await openBrowser(stack.url).startSession(email, await stack.signInWithPassword(email, demoPassword))).status;

test('seeds the demo users with accounts that can sign in', async () => {
  assert.equal(await stack.users.countDocuments(), demoUsers.length);
  for (const [role, email] of Object.entries(demoAccounts)) {
    assert.equal(await signInDemo(email), 200);
    const user = await stack.user(email);
    assert.deepEqual([user.role, user.emailVerified, user.registered], [role, true, true]);
  }
});

test('seeds once, even with several replicas, and leaves changes alone', async () => {
  await stack.users.updateOne({ email: demoAccounts.patient }, { $set: { firstName: 'Changed' } });
  await Promise.all([stack.addReplica(), stack.addReplica()]);
  assert.equal(await stack.users.countDocuments(), demoUsers.length);
  assert.equal((await stack.user(demoAccounts.patient)).firstName, 'Changed');
});

test('writes no demo data to a database in use, if demo mode is switched on by mistake', async () => {
  const real = await stack.addReplica({ MONGODB_DATABASE: 'identity-lived', DEMO_MODE: 'false' });
  const email = 'somebody@clinic.example';
  assert.equal((await openBrowser(real.url).startSession(email, await stack.signUp(email))).status, 200);
  const mistaken = await stack.addReplica({ MONGODB_DATABASE: 'identity-lived', DEMO_MODE: 'true' });
  const users = await mistaken.context.db.collection('users').find().toArray();
  assert.deepEqual(
    users.map((user) => String(user['email'])),
    [email],
  );
  assert.equal(
    await mistaken.context.db.collection<{ _id: string }>('markers').countDocuments({ _id: 'demo-seed' }),
    0,
  );
  assert.equal(
    stack.log.filter((line) => line.includes('this database is a real one: no demo data are written')).length,
    1,
  );
});

test('restores the accounts if the emulator has lost its data', async () => {
  const auth = getAuth(initializeApp({ projectId }, 'repair-test'));
  const lost = (await stack.user(demoAccounts.doctor)).uid ?? '';
  await auth.deleteUser(lost);
  await stack.addReplica();
  assert.notEqual((await stack.user(demoAccounts.doctor)).uid, lost);
  assert.equal(await signInDemo(demoAccounts.doctor), 200);
});

test('restores the users if the database has lost its data', async () => {
  const replica = await stack.addReplica({ MONGODB_DATABASE: 'identity-new' });
  const users = replica.context.db.collection('users');
  assert.equal(await users.countDocuments({ uid: { $exists: true } }), demoUsers.length);
  assert.equal(
    (await users.findOne({ email: demoAccounts.admin }))?.['uid'],
    (await stack.user(demoAccounts.admin)).uid,
  );
});

const failure = async (env: Record<string, string>): Promise<string> => {
  try {
    const service = await startService(identityService, { env: { ...stack.env, LOG_LEVEL: 'silent', ...env } });
    await service.close();
  } catch (error) {
    return (error as Error).message;
  }
  return 'started';
};

test('rejects the emulator in production outside demo mode', async () => {
  assert.match(
    await failure({ NODE_ENV: 'production', DEMO_MODE: 'false' }),
    /^FIREBASE_AUTH_EMULATOR_HOST is wrong: in production it must be unset/,
  );
  assert.equal(await failure({ NODE_ENV: 'production', DEMO_MODE: 'true' }), 'started');
});

test('requires a key outside demo mode, and names it', async () => {
  const missing = join(folder, 'none.pem');
  assert.match(
    await failure({ DEMO_MODE: 'false', SESSION_KEY_FILE: missing }),
    /^SESSION_KEY_FILE is wrong: there is no file .*none\.pem; it must be .*for example SESSION_KEY_FILE=/,
  );
  const rubbish = join(folder, 'rubbish.pem');
  await writeFile(rubbish, 'not a key');
  assert.match(
    await failure({ SESSION_KEY_FILE: rubbish }),
    /^SESSION_KEY_FILE is wrong: .*rubbish\.pem holds no such key/,
  );
});

test('creates one key that only its owner can read, however many replicas start at once', async () => {
  const path = join(folder, 'deep', 'key.pem');
  const keys = await Promise.all(Array.from({ length: 8 }, () => loadSigningKey(path, true)));
  assert.equal(new Set(keys.map(({ kid }) => kid)).size, 1);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.match(await readFile(path, 'utf8'), /^-----BEGIN PRIVATE KEY-----/);
});

test('rejects a key that others on the machine can read, except in a demo', async () => {
  const path = join(folder, 'shared.pem');
  await loadSigningKey(path, true);
  for (const mode of [0o644, 0o640, 0o604, 0o660, 0o444, 0o601]) {
    await chmod(path, mode);
    assert.equal(
      await failure({ DEMO_MODE: 'false', SESSION_KEY_FILE: path }),
      `SESSION_KEY_FILE is wrong: others than its owner may use ${path} (mode ${mode.toString(8)}); it must be a file with mode 600 or 400, for example after chmod 600 ${path}`,
    );
    assert.equal(await failure({ DEMO_MODE: 'true', SESSION_KEY_FILE: path }), 'started');
  }
  for (const mode of [0o600, 0o400]) {
    await chmod(path, mode);
    assert.equal(await failure({ DEMO_MODE: 'false', SESSION_KEY_FILE: path }), 'started');
  }
  // The same file by another path.
  await chmod(path, 0o644);
  await symlink(path, join(folder, 'link.pem'));
  assert.match(
    await failure({ DEMO_MODE: 'false', SESSION_KEY_FILE: join(folder, 'link.pem') }),
    /^SESSION_KEY_FILE is wrong: .*mode 644/,
  );
});

test('rejects a service account that others on the machine can read, except in a demo', async () => {
  const path = join(folder, 'account.json');
  await writeFile(path, '{}', { mode: 0o644 });
  assert.match(
    await failure({ DEMO_MODE: 'false', FIREBASE_SERVICE_ACCOUNT_FILE: path }),
    /^FIREBASE_SERVICE_ACCOUNT_FILE is wrong: others than its owner may use .*account\.json \(mode 644\); it must be a file with mode 600 or 400, for example after chmod 600 /,
  );
  await chmod(path, 0o600);
  // The mode is accepted, so the next error is that the file isn't a service account.
  assert.match(
    await failure({ DEMO_MODE: 'false', FIREBASE_SERVICE_ACCOUNT_FILE: path }),
    /^FIREBASE_SERVICE_ACCOUNT_FILE is wrong: it must be the path of a service account's key/,
  );
});

test('reads a JWK as well', async () => {
  const { privateKey, kid } = await loadSigningKey(join(folder, 'first.pem'), true);
  const path = join(folder, 'key.jwk');
  await writeFile(path, JSON.stringify(privateKey.export({ format: 'jwk' })), { mode: 0o600 });
  assert.equal((await loadSigningKey(path, false)).kid, kid);
});

// Must be the last test: firebase-admin reads from process.env whether there is an emulator.
test('with a real project, needs no service account and rejects an emulator’s unsigned tokens', async () => {
  const proof = await stack.signUp('unsigned@clinic.example');
  const real = await stack.addReplica({
    NODE_ENV: 'production',
    DEMO_MODE: 'false',
    FIREBASE_AUTH_EMULATOR_HOST: '',
    FIREBASE_PROJECT_ID: 'clinic-real',
    MONGODB_DATABASE: 'identity-real',
  });
  assert.ok(stack.log.some((line) => line.includes('no FIREBASE_SERVICE_ACCOUNT_FILE')));
  const browser = openBrowser(real.url);
  assert.equal((await browser.startSession('unsigned@clinic.example', proof)).status, 401);
  assert.equal(browser.cookies.size, 0);
  assert.equal(await real.context.db.collection('users').countDocuments(), 0);
});
