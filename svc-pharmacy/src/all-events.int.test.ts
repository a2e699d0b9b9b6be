import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { calls } from '@clinic/contracts/calls';
import { usesIndex } from '@clinic/service-kit/testing';
import type { RecordEvent } from '@clinic/contracts';
import { eventFilter, type EventQuery } from '@clinic/service-kit';
import { move, order, problemOf, stockMedicine, startPharmacy, type TestPharmacy } from './testing/test-pharmacy.ts';

let pharmacy: TestPharmacy;
before(async () => {
  pharmacy = await startPharmacy();
});
after(() => pharmacy.close());

const path = '/orderMedi/events';
const email = 'patient@clinic.example';
const read = async (query = ''): Promise<RecordEvent[]> =>
  calls.listPharmacyEvents.response.parse(await (await pharmacy.as('admin')(`${path}?${query}`)).json());

test('every change appears once, latest first, with actor, before and after, and is found by person, record, action and time', async () => {
  const medicine = await stockMedicine(pharmacy, { quantity: 20, pricePerUnit: 2 });
  const medicineId = medicine._id.toHexString();
  const { _id: orderId } = await order(pharmacy.as('patient'), email, [
    { medicineId: medicine.medicineId, quantity: 15 },
  ]);
  assert.equal((await move(pharmacy.as('pharmacist'), orderId, 'Shipped')).status, 200);
  await problemOf(await move(pharmacy.as('patient'), orderId, 'Cancelled'), 403);
  assert.equal(
    (await pharmacy.as('pharmacist')(`/medicine/${medicineId}`, { method: 'PATCH', json: { pricePerUnit: 2.5 } }))
      .status,
    200,
  );
  assert.equal((await move(pharmacy.as('admin'), orderId, 'Cancelled')).status, 200);

  const all = await read();
  const byAction = all.toSorted((a, b) => a.action.localeCompare(b.action));
  assert.deepEqual(
    byAction.map(({ action, actor, record, before: was, after: is }) => [
      action,
      actor?.email,
      record.type,
      record.id,
      was,
      is,
    ]),
    [
      ['edited', 'pharmacist@clinic.example', 'medicine', medicineId, { pricePerUnit: 2 }, { pricePerUnit: 2.5 }],
      [
        'order cancelled',
        'admin@clinic.example',
        'medicine',
        medicineId,
        { quantity: 5, status: 'low stock' },
        { quantity: 20, status: 'in stock', orderId },
      ],
      [
        'ordered',
        email,
        'medicine',
        medicineId,
        { quantity: 20, status: 'in stock' },
        { quantity: 5, status: 'low stock', orderId },
      ],
      ['placed', email, 'order', orderId, null, { status: 'pending' }],
      ['status changed', 'admin@clinic.example', 'order', orderId, { status: 'Shipped' }, { status: 'Cancelled' }],
      ['status changed', 'pharmacist@clinic.example', 'order', orderId, { status: 'pending' }, { status: 'Shipped' }],
    ],
  );
  assert.deepEqual(
    all.map(({ at }) => at),
    all
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  );

  const actionsOf = (events: readonly RecordEvent[]) => events.map(({ action }) => action).toSorted();
  // Changes that staff make to an order are found by its customer, too.
  assert.deepEqual(actionsOf(await read(`person=${email.toUpperCase()}`)), [
    'ordered',
    'placed',
    'status changed',
    'status changed',
  ]);
  assert.deepEqual(actionsOf(await read('person=pharmacist@clinic.example')), ['edited', 'status changed']);
  assert.deepEqual(actionsOf(await read(`record=${orderId}`)), ['placed', 'status changed', 'status changed']);
  assert.deepEqual(
    await read('action=edited'),
    all.filter(({ action }) => action === 'edited'),
  );
  const { at = '' } = all.find(({ action }) => action === 'edited') ?? {};
  assert.deepEqual(
    await read(`from=${at}`),
    all.filter((event) => event.at >= at),
  );
  assert.deepEqual(
    await read(`until=${at}`),
    all.filter((event) => event.at < at),
  );

  const first = await pharmacy.as('admin')(`${path}?limit=4`);
  assert.equal(first.headers.get('x-total-count'), '6');
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  assert.deepEqual(
    [
      ...((await first.json()) as RecordEvent[]),
      ...((await (await pharmacy.as('admin')(next)).json()) as RecordEvent[]),
    ],
    all,
  );
});

test('only admins can read it, and nobody can change or delete it', async () => {
  for (const role of ['patient', 'doctor', 'pharmacist'] as const) await problemOf(await pharmacy.as(role)(path), 403);
  await problemOf(await pharmacy.anonymous(path), 401);
  const before = await read();
  for (const method of ['PUT', 'DELETE', 'PATCH', 'POST']) {
    for (const address of [path, `${path}/${before[0]?._id}`]) {
      const answer = await pharmacy.as('admin')(address, { method, json: { after: {}, newStatus: 'Shipped' } });
      assert.ok([400, 404, 405].includes(answer.status), `${method} ${address} answered ${answer.status}`);
    }
  }
  assert.deepEqual(await read(), before);
});

test('every filter uses an index, in its order', async () => {
  const queries: EventQuery[] = [
    {},
    { person: email },
    { record: 'a'.repeat(24) },
    { action: 'placed' },
    { from: '2026-01-01T00:00:00Z' },
    { person: email, until: '2099-01-01T00:00:00Z' },
  ];
  for (const query of queries) {
    const plan = await pharmacy.db.command({
      explain: { find: 'events', filter: eventFilter(query), sort: { at: -1, _id: -1 }, limit: 51 },
      verbosity: 'queryPlanner',
    });
    assert.ok(usesIndex(plan, { sorted: true }), JSON.stringify(query));
  }
});
