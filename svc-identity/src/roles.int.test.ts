import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import type { HistoryEntry, Session } from '@clinic/contracts';
import { withUriOption } from '@clinic/service-kit/testing';
import { startService } from '@clinic/service-kit';
import { shopService } from '@clinic/service-kit/testing/shop-service';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { openBrowser, type Browser } from './testing/browser.ts';
import { startIdentityStack } from './testing/identity-stack.ts';
import { changeRole, refresh, verdict } from './testing/people.ts';
import { statusesOf } from '@clinic/service-kit/testing/statuses-of';

const stack = await startIdentityStack();
after(() => stack.close());
let round = 0;
beforeEach(async () => {
  round += 1;
  await stack.users.updateMany({}, { $set: { role: 'patient' } });
});

const mail = (name: string): string => `${name}${round}@clinic.example`;

test('changes a role, adds it to the history, and ends tokens with the old one', async () => {
  const admin = await stack.login(mail('admin'), 'admin');
  const doctor = await stack.login(mail('doctor'), 'patient');
  const answer = await changeRole(stack, admin, mail('doctor'), 'doctor');
  assert.equal(answer.status, 200);
  assert.equal(((await answer.json()) as { role: string }).role, 'doctor');
  assert.deepEqual(await verdict(doctor.fetch('/jwt/session')), [401, 'session_stale']);
  assert.equal(((await (await refresh(doctor)).json()) as Session).user.role, 'doctor');
  assert.equal((await doctor.fetch('/jwt/session')).status, 200);
  const history = (browser: Browser) => browser.read<HistoryEntry[]>(`/users/${mail('doctor')}/history`);
  assert.deepEqual(
    (await history(admin)).map(({ action, actor, before: was, after: is }) => [action, actor?.email, was, is]),
    [
      ['role changed', mail('admin'), { role: 'patient' }, { role: 'doctor' }],
      ['user created', mail('doctor'), null, { email: mail('doctor'), role: 'patient', registered: false }],
    ],
  );
  assert.deepEqual((await history(doctor))[0]?.actor, { role: 'admin' });
});

test('changes nothing and writes nothing if the role is the same', async () => {
  const admin = await stack.login(mail('admin'), 'admin');
  const patient = await stack.login(mail('patient'));
  assert.equal((await changeRole(stack, admin, mail('patient'), 'patient')).status, 200);
  assert.equal((await patient.fetch('/jwt/session')).status, 200);
});

test('rejects unknown users, malformed ids and roles, and one’s own role', async () => {
  const admin = await stack.login(mail('admin'), 'admin');
  const patch = (id: string, newRole: string): Promise<Response> =>
    admin.fetch(`/update-role/${id}`, { method: 'PATCH', json: { newRole } });
  assert.deepEqual(await verdict(patch('f'.repeat(24), 'doctor')), [404, 'not_found']);
  assert.deepEqual(await verdict(patch('1', 'doctor')), [400, 'bad_id']);
  assert.deepEqual(await verdict(patch('f'.repeat(24), 'owner')), [400, 'validation_failed']);
  const own = (await stack.user(mail('admin')))._id.toHexString();
  assert.deepEqual(await verdict(patch(own.toUpperCase(), 'patient')), [409, 'own_role']);
});

test('leaves one admin if two demote each other at the same moment', async () => {
  for (let game = 0; game < 10; game += 1) {
    await stack.users.updateMany({}, { $set: { role: 'patient' } });
    const [ann, bob] = [mail(`ann${game}x`), mail(`bob${game}x`)];
    const browsers = [await stack.login(ann, 'admin'), await stack.login(bob, 'admin')] as const;
    const answers = await Promise.all([
      changeRole(stack, browsers[0], bob, 'patient'),
      changeRole(stack, browsers[1], ann, 'patient'),
    ]);
    assert.equal(await stack.users.countDocuments({ role: 'admin' }), 1);
    const [one, other = 0] = statusesOf(answers);
    assert.equal(one, 200);
    assert.ok([401, 409].includes(other), `the other answered ${other}`);
  }
});

test('rejects one of two admins demoting each other with last_admin, if both were admins when they started', async () => {
  const replica = await stack.addReplica({
    MONGODB_URI: withUriOption(stack.database.uri, 'monitorCommands', 'true'),
  });
  const { client, db } = replica.context;
  const guards = db.collection<{ _id: string; changes: number }>('guards');
  const [ann, bob] = [mail('ann'), mail('bob')];
  const at = async (email: string): Promise<Browser> => {
    const { cookies } = await stack.login(email, 'admin');
    return openBrowser(replica.url, cookies);
  };
  const browsers = [await at(ann), await at(bob)] as const;

  // Holds both at the lock until both are known to be admins.
  const waiting = new Set<string>();
  const bothWait = new Promise<void>((resolve) => {
    client.on('commandStarted', ({ commandName, command }) => {
      if (commandName !== 'update' || command['update'] !== 'guards') return;
      waiting.add(String(command['lsid']?.id));
      // The session that holds the lock is one of the three.
      if (waiting.size === 3) resolve();
    });
  });
  const session = client.startSession();
  session.startTransaction();
  await guards.updateOne({ _id: 'roles' }, { $inc: { changes: 1 } }, { session });
  const demotions = Promise.all([
    changeRole(stack, browsers[0], bob, 'patient'),
    changeRole(stack, browsers[1], ann, 'patient'),
  ]);
  await Promise.race([bothWait, demotions]);
  await session.abortTransaction();
  await session.endSession();

  const answers = (await Promise.all((await demotions).map(verdict))).toSorted(([a], [b]) => a - b);
  assert.deepEqual(answers, [
    [200, undefined],
    [409, 'last_admin'],
  ]);
  assert.equal(await stack.users.countDocuments({ role: 'admin' }), 1);
  await replica.close();
});

test('rejects a demoted admin’s requests with the old token', async () => {
  const admin = await stack.login(mail('admin'), 'admin');
  const other = await stack.login(mail('other'), 'admin');
  await stack.login(mail('patient'));
  await stack.users.updateOne({ email: mail('other') }, { $set: { role: 'patient' } });
  assert.equal((await changeRole(stack, other, mail('patient'), 'admin')).status, 401);
  assert.equal((await stack.user(mail('patient'))).role, 'patient');
  assert.equal((await admin.fetch('/jwt/session')).status, 200);
});

test('notifies other replicas and services of a change', { timeout: 60_000 }, async () => {
  const second = await stack.addReplica();
  const shop = await startService(shopService, {
    env: { ...stack.env, MONGODB_DATABASE: 'shop', LOG_LEVEL: 'silent', IDENTITY_URL: second.url },
  });
  try {
    const admin = await stack.login(mail('admin'), 'admin');
    const staff = await stack.login(mail('staff'), 'pharmacist');
    const atReplica = openBrowser(second.url, staff.cookies);
    const atShop = openBrowser(shop.url, staff.cookies);
    await waitUntil(async () => (await atShop.fetch('/orderMedi')).status === 200);
    assert.equal((await atReplica.fetch('/jwt/session')).status, 200);
    await changeRole(stack, admin, mail('staff'), 'patient');
    await waitUntil(async () => {
      assert.deepEqual(await verdict(atReplica.fetch('/jwt/session')), [401, 'session_stale']);
      assert.deepEqual(await verdict(atShop.fetch('/orderMedi')), [401, 'session_stale']);
    });

    // A service that starts later gets the update, too.
    const late = await startService(shopService, {
      env: { ...stack.env, MONGODB_DATABASE: 'shop', LOG_LEVEL: 'silent', IDENTITY_URL: stack.url },
    });
    const atLate = openBrowser(late.url, staff.cookies);
    const outcome = await waitUntil(async () => {
      const answer = await atLate.fetch('/orderMedi');
      return answer.status !== 503 && verdict(answer);
    });
    assert.deepEqual(outcome, [401, 'session_stale']);
    await late.close();
  } finally {
    await shop.close();
  }
});
