import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordEvent } from '@clinic/contracts';
import { allPages, move, order, problemOf, read, stockMedicine, sharedPharmacy } from './testing/test-pharmacy.ts';

const pharmacy = await sharedPharmacy();

const path = '/orderMedi/events';
const email = 'patient@clinic.example';
const events = (query = '') => read(pharmacy.as('admin'), 'listPharmacyEvents', `${path}?${query}`);

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

  const all = await events();
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
  assert.deepEqual(actionsOf(await events(`person=${email.toUpperCase()}`)), [
    'ordered',
    'placed',
    'status changed',
    'status changed',
  ]);
  assert.deepEqual(actionsOf(await events('person=pharmacist@clinic.example')), ['edited', 'status changed']);
  assert.deepEqual(actionsOf(await events(`record=${orderId}`)), ['placed', 'status changed', 'status changed']);
  assert.deepEqual(
    await events('action=edited'),
    all.filter(({ action }) => action === 'edited'),
  );
  const { at = '' } = all.find(({ action }) => action === 'edited') ?? {};
  assert.deepEqual(
    await events(`from=${at}`),
    all.filter((event) => event.at >= at),
  );
  assert.deepEqual(
    await events(`until=${at}`),
    all.filter((event) => event.at < at),
  );

  assert.deepEqual(await allPages(pharmacy.as('admin'), `${path}?limit=4`), { rows: all, total: '6' });
});

test('only admins can read it, and nobody can change or delete it', async () => {
  for (const role of ['patient', 'doctor', 'pharmacist'] as const) await problemOf(await pharmacy.as(role)(path), 403);
  await problemOf(await pharmacy.anonymous(path), 401);
  const before = await events();
  for (const method of ['PUT', 'DELETE', 'PATCH', 'POST']) {
    for (const address of [path, `${path}/${before[0]?._id}`]) {
      const answer = await pharmacy.as('admin')(address, { method, json: { after: {}, newStatus: 'Shipped' } });
      assert.ok([400, 404, 405].includes(answer.status), `${method} ${address} answered ${answer.status}`);
    }
  }
  assert.deepEqual(await events(), before);
});
