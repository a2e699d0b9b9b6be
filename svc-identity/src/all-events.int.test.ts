import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { calls } from '@clinic/contracts/calls';
import { usesIndex, winningIndexes } from '@clinic/service-kit/testing';
import type { RecordEvent } from '@clinic/contracts';
import { eventFilter, type EventQuery } from '@clinic/service-kit';
import { changedRecord } from './access/access-events.ts';
import type { Browser } from './testing/browser.ts';
import { startIdentityStack, type IdentityStack } from './testing/identity-stack.ts';

let stack: IdentityStack;
let admin: Browser;
before(async () => {
  stack = await startIdentityStack();
  admin = await stack.login('admin@clinic.example', 'admin');
});
after(() => stack.close());

const path = '/access-events/all';
const email = 'ann@mail.example';
const read = async (query = ''): Promise<RecordEvent[]> =>
  calls.listIdentityEvents.response.parse(await (await admin.fetch(`${path}?${query}`)).json());

test('every change appears once, latest first, with actor, before and after, and is found by person, record, action and time', async () => {
  const ann = await stack.login(email, 'patient');
  const id = (await stack.user(email))._id.toHexString();
  const patch = (address: string, json: unknown): Promise<Response> => admin.fetch(address, { method: 'PATCH', json });
  assert.equal((await ann.register(email, { firstName: 'Anna' })).status, 200);
  assert.equal((await patch(`/update-role/${id}`, { newRole: 'doctor' })).status, 200);
  assert.equal((await patch(`/update-role/${id}`, { newRole: 'doctor' })).status, 200);
  assert.equal((await patch(`/users/${email}/access`, { disabled: true })).status, 200);
  assert.equal((await patch(`/users/${email}/access`, { disabled: false })).status, 200);

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

  const all = await read();
  assert.equal(new Set(all.map(({ _id }) => _id)).size, all.length);
  assert.deepEqual(
    all.map(({ at }) => at),
    all
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  );
  assert.deepEqual(
    ofAnn,
    all.filter(({ people }) => people.includes(email)),
  );
  assert.deepEqual(
    await read(`record=${id}`),
    all.filter(({ record }) => record.id === id),
  );
  assert.deepEqual(
    (await read('action=role%20changed')).map(({ record }) => record.id),
    [id],
  );
  const { at = '' } = all.find(({ action }) => action === 'role changed') ?? {};
  assert.deepEqual(
    await read(`from=${at}`),
    all.filter((event) => event.at >= at),
  );
  assert.deepEqual(
    await read(`until=${at}`),
    all.filter((event) => event.at < at),
  );

  const first = await admin.fetch(`${path}?limit=3`);
  assert.equal(first.headers.get('x-total-count'), String(all.length));
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  assert.deepEqual(
    [...((await first.json()) as RecordEvent[]), ...((await (await admin.fetch(`${next}`)).json()) as RecordEvent[])],
    all.slice(0, 6),
  );
});

test('only admins can read it, and nobody can change or delete it', async () => {
  const patient = await stack.login('someone@mail.example');
  assert.equal((await patient.fetch(path)).status, 403);
  assert.equal((await stack.anonymous(path)).status, 401);
  const before = await read();
  for (const method of ['PUT', 'DELETE', 'PATCH', 'POST']) {
    for (const address of [path, '/access-events', `${path}/${before[0]?._id}`, `/access-events/${before[0]?._id}`]) {
      const answer = await admin.fetch(address, { method, json: { after: {}, newRole: 'patient' } });
      assert.ok([404, 405].includes(answer.status), `${method} ${address} answered ${answer.status}`);
    }
  }
  assert.deepEqual(await read(), before);
});

test('changes are listed without sign-ins, page by page, and a log-out isn’t a change', async () => {
  const bo = await stack.login('bo@mail.example');
  assert.equal((await bo.fetch('/jwt', { method: 'DELETE' })).status, 204);
  for (const name of ['cy', 'di', 'ed']) await stack.login(`${name}@mail.example`);
  assert.equal(
    (await admin.fetch('/users/bo@mail.example/access', { method: 'PATCH', json: { disabled: true } })).status,
    200,
  );

  const all = await read();
  const signIns = all.filter(({ record }) => record.type === 'sign-in');
  assert.deepEqual([...new Set(signIns.map(({ action }) => action))].toSorted(), ['logged out', 'signed in']);
  const changes = all.filter((event) => !signIns.includes(event));
  assert.ok(changes.length > 3 && changes.length < all.length);
  assert.deepEqual(await read('changes=true'), changes);
  assert.deepEqual(
    await read('changes=true&person=bo@mail.example'),
    changes.filter(({ people }) => people.includes('bo@mail.example')),
  );
  assert.deepEqual(
    await read('changes=true&action=account%20switched%20off'),
    changes.filter(({ action }) => action === 'account switched off'),
  );
  assert.deepEqual(await read('changes=true&action=signed%20in'), []);

  const pages: RecordEvent[] = [];
  let next: string | undefined = `${path}?changes=true&limit=2`;
  while (next !== undefined) {
    const page: Response = await admin.fetch(next);
    assert.equal(page.headers.get('x-total-count'), String(changes.length));
    pages.push(...((await page.json()) as RecordEvent[]));
    next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
  }
  assert.deepEqual(pages, changes);
  for (const wrong of ['false', 'yes', ''])
    assert.equal((await admin.fetch(`${path}?changes=${wrong}`)).status, 400, wrong);
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
