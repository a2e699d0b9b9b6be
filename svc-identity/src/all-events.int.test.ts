import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { identityCalls } from './contract/calls.ts';
import { usesIndex, winningIndexes } from '@clinic/service-kit/testing';
import type { RecordEvent } from '@clinic/contracts';
import { eventFilter, type EventQuery } from '@clinic/service-kit';
import { changedRecord } from './access/access-events.ts';
import { startIdentityStack } from './testing/identity-stack.ts';
import { changeAccess, changeRole } from './testing/people.ts';

const stack = await startIdentityStack();
after(() => stack.close());
const admin = await stack.login('admin@clinic.example', 'admin');

const path = '/access-events/all';
const email = 'ann@mail.example';
const read = async (query = ''): Promise<RecordEvent[]> =>
  identityCalls.listIdentityEvents.response.parse(await admin.read(`${path}?${query}`));

test('every change appears once, latest first, with actor, before and after', async () => {
  const ann = await stack.login(email, 'patient');
  const id = (await stack.user(email))._id.toHexString();
  assert.equal((await ann.register(email, { firstName: 'Anna' })).status, 200);
  for (const role of ['doctor', 'doctor']) assert.equal((await changeRole(stack, admin, email, role)).status, 200);
  for (const disabled of [true, false]) assert.equal((await changeAccess(admin, email, disabled)).status, 200);

  const ofAnn = await read(`person=${email.toUpperCase()}`);
  const shown = ofAnn
    .filter(({ record }) => record.type === 'user' && record.id === id)
    .map(({ action, actor, before: was, after: is }) => [action, actor?.email, was, is]);
  assert.deepEqual(shown.filter(([action]) => action !== 'profile registered').toReversed(), [
    ['user created', email, null, { email, role: 'patient', registered: false }],
    ['role changed', 'admin@clinic.example', { role: 'patient' }, { role: 'doctor' }],
    ['account switched off', 'admin@clinic.example', { disabled: false }, { disabled: true }],
    ['account switched on', 'admin@clinic.example', { disabled: true }, { disabled: false }],
  ]);
  assert.equal(shown.filter(([action]) => action === 'profile registered').length, 1);
  assert.equal(ofAnn.filter(({ action }) => action === 'signed in').length, 1);
});

test('nobody can change or delete it', async () => {
  const before = await read();
  for (const method of ['PUT', 'DELETE', 'PATCH', 'POST']) {
    for (const address of [path, '/access-events', `${path}/${before[0]?._id}`, `/access-events/${before[0]?._id}`]) {
      const answer = await admin.fetch(address, { method, json: { after: {}, newRole: 'patient' } });
      assert.ok([404, 405].includes(answer.status), `${method} ${address} answered ${answer.status}`);
    }
  }
  assert.deepEqual(await read(), before);
});

test('every filter uses an index, in its order', async () => {
  const span = { from: '2026-01-01T00:00:00Z', until: '2099-01-01T00:00:00Z' };
  const queries: EventQuery[] = [
    {},
    { person: email },
    { record: 'a'.repeat(24) },
    { action: 'role changed' },
    { from: span.from },
    { person: email, until: span.until },
  ];
  const changes: EventQuery[] = [
    { changes: 'true' },
    { changes: 'true', ...span },
    { changes: 'true', person: email },
    { changes: 'true', person: email, ...span },
  ];
  for (const query of [...queries, ...changes]) {
    const explained = await stack.replica.context.db.command({
      explain: { find: 'events', filter: eventFilter(query, changedRecord), sort: { at: -1, _id: -1 }, limit: 51 },
      verbosity: 'queryPlanner',
    });
    assert.ok(usesIndex(explained, { sorted: true }), JSON.stringify(query));
    // Reads no sign-ins in between.
    if (query.changes)
      assert.deepEqual(
        winningIndexes(explained),
        [query.person ? 'changes_by_person' : 'changes'],
        JSON.stringify(query),
      );
  }
});
