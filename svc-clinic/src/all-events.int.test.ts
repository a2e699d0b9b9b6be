import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordEvent } from '@clinic/contracts';
import { usesIndex } from '@clinic/service-kit/testing';
import { eventFilter, type EventQuery } from '@clinic/service-kit';
import { ann, book, drGrey, setStatus, sharedClinic, verdict } from './testing/test-clinic.ts';

const clinic = await sharedClinic();

const path = '/appoinments/events';
const read = async (query: string): Promise<RecordEvent[]> =>
  (await (await clinic.as('admin')(`${path}?${query}`)).json()) as RecordEvent[];

test('every change appears once, latest first, with actor, before and after, and is found by person, record, action and time', async () => {
  const doctor = await clinic.addDoctor();
  const appointment = await book(clinic);
  await setStatus(clinic, drGrey, appointment._id, 'Confirmed');
  await setStatus(clinic, drGrey, appointment._id, 'Confirmed');
  await clinic.as('admin')(`/doctors/${doctor._id.toHexString()}/profile`, {
    method: 'PATCH',
    json: { location: 'Roof' },
  });
  await setStatus(clinic, ann, appointment._id, 'Cancelled');

  const all = await read('');
  assert.deepEqual(
    all.map(({ action, actor, record, before }) => [action, actor?.email, record.type, before]),
    [
      ['status changed', ann.email, 'appointment', { status: 'Confirmed' }],
      ['profile changed', 'admin@clinic.example', 'doctor', { location: 'Level 3' }],
      ['status changed', drGrey.email, 'appointment', { status: 'Pending' }],
      ['booked', ann.email, 'appointment', null],
    ],
  );
  assert.deepEqual(all[1]?.after, { location: 'Roof' });
  assert.deepEqual(await read(`record=${doctor._id.toHexString()}`), [all[1]]);
  assert.deepEqual(await read('person=Admin@Clinic.example'), [all[1]]);
  assert.deepEqual((await read(`person=${ann.email}`)).length, 3);
  assert.deepEqual(await read('action=booked'), [all[3]]);
  assert.deepEqual(await read(`until=${all[2]?.at}`), [all[3]]);
  assert.deepEqual(await read(`from=${all[0]?.at}&action=status%20changed`), [all[0]]);

  const first = await clinic.as('admin')(`${path}?limit=3`);
  assert.equal(first.headers.get('x-total-count'), '4');
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  assert.deepEqual(await (await clinic.as('admin')(next)).json(), [all[3]]);
});

test('only admins can read it, and nobody can change or delete it', async () => {
  for (const who of [ann, drGrey, 'pharmacist'] as const)
    assert.equal(await verdict(clinic.as(who)(path)), '403 forbidden');
  assert.equal(await verdict(clinic.anonymous(path)), '401 unauthenticated');
  const before = await read('');
  const [event] = before;
  for (const method of ['PUT', 'DELETE', 'PATCH', 'POST']) {
    for (const address of [path, `${path}/${event?._id}`]) {
      const answer = await clinic.as('admin')(address, {
        method,
        json: { after: {}, date: clinic.soon, time: '09:00' },
      });
      assert.ok([400, 404, 405].includes(answer.status), `${method} ${address} answered ${answer.status}`);
    }
  }
  assert.deepEqual(await read(''), before);
});

test('every filter uses an index, in its order', async () => {
  const queries: EventQuery[] = [
    {},
    { person: ann.email },
    { record: 'a'.repeat(24) },
    { action: 'booked' },
    { from: '2026-01-01T00:00:00Z' },
    { person: ann.email, until: '2099-01-01T00:00:00Z' },
  ];
  for (const query of queries) {
    const plan = await clinic.db.command({
      explain: { find: 'events', filter: eventFilter(query), sort: { at: -1, _id: -1 }, limit: 51 },
      verbosity: 'queryPlanner',
    });
    assert.ok(usesIndex(plan, { sorted: true }), JSON.stringify(query));
  }
});
