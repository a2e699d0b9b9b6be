import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { AccountStanding } from '@clinic/service-kit';
import { startIdentityStack } from '../testing/identity-stack.ts';
import { changeAccess } from '../testing/people.ts';

const stack = await startIdentityStack();
after(() => stack.close());

const standingOf = async (id: string): Promise<AccountStanding> =>
  (await (await stack.internal(`/internal/accounts/${id}`)).json()) as AccountStanding;

test('reports whether an account is active, its role in effect, its confirmed address, and when its sessions were ended', async () => {
  const admin = await stack.login('admin@clinic.example', 'admin');
  await stack.login('other@clinic.example', 'doctor');
  const { _id } = await stack.user('other@clinic.example');
  const id = _id.toHexString();
  const email = 'other@clinic.example';
  assert.deepEqual(await standingOf(id), { active: true, role: 'doctor', confirmed: true, email });
  assert.equal((await changeAccess(admin, 'other@clinic.example', true)).status, 200);
  const { sessionsEndedAt } = await stack.user('other@clinic.example');
  const ended = sessionsEndedAt?.toISOString();
  assert.ok(ended);
  assert.deepEqual(await standingOf(id), {
    active: false,
    role: 'doctor',
    confirmed: true,
    email,
    sessionsEndedAt: ended,
  });
  assert.equal((await changeAccess(admin, 'other@clinic.example', false)).status, 200);
  assert.deepEqual(await standingOf(id), {
    active: true,
    role: 'doctor',
    confirmed: true,
    email,
    sessionsEndedAt: ended,
  });
  await stack.users.updateOne({ _id }, { $set: { emailVerified: false } });
  assert.deepEqual(await standingOf(id), {
    active: true,
    role: 'patient',
    confirmed: false,
    sessionsEndedAt: ended,
  });
  await stack.users.updateOne({ _id }, { $set: { emailVerified: true, erasingSince: new Date() } });
  assert.equal((await standingOf(id)).active, false);
});

test('reports an unknown account as inactive, and nothing without the secret', async () => {
  for (const id of ['f'.repeat(24), 'nobody'])
    assert.deepEqual(await standingOf(id), { active: false, role: 'patient', confirmed: false });
  assert.equal((await stack.anonymous(`/internal/accounts/${'f'.repeat(24)}`)).status, 401);
});
