import assert from 'node:assert/strict';
import { test } from 'node:test';
import { move, order, problemOf, read, sharedPharmacy } from './testing/test-pharmacy.ts';

const pharmacy = await sharedPharmacy();

const email = 'patient@clinic.example';

test('an order’s customer and staff see its history, latest first', async () => {
  const { medicineId } = await pharmacy.stockMedicine();
  const { _id } = await order(pharmacy.as('patient'), email, [{ medicineId, quantity: 1 }]);
  assert.equal((await move(pharmacy.as('pharmacist'), _id, 'Shipped')).status, 200);
  const historyFor = (who: 'patient' | 'pharmacist') =>
    read(pharmacy.as(who), 'getOrderHistory', `/orderMedi/${_id}/history`);

  const [shipped, placed, ...rest] = await historyFor('patient');
  assert.equal(rest.length, 0);
  assert.deepEqual(
    [placed?.action, placed?.actor, placed?.before, placed?.after],
    ['placed', { role: 'patient', email }, null, { status: 'pending' }],
  );
  assert.deepEqual(
    [shipped?.action, shipped?.actor],
    ['status changed', { role: 'pharmacist' }],
    'a customer doesn’t see who at the pharmacy',
  );
  assert.deepEqual((await historyFor('pharmacist'))[0]?.actor, {
    role: 'pharmacist',
    email: 'pharmacist@clinic.example',
  });

  await problemOf(await pharmacy.anonymous(`/orderMedi/${_id}/history`), 401);
  await problemOf(
    await pharmacy.as({ role: 'patient', email: 'other@mail.example' })(`/orderMedi/${_id}/history`),
    403,
  );
  await problemOf(await pharmacy.as('patient')(`/orderMedi/${'a'.repeat(24)}/history`), 404);
});

test('staff see a medicine’s history, with wire field names', async () => {
  const { _id } = await pharmacy.stockMedicine({ quantity: 3, pricePerUnit: 2 });
  const path = `/medicine/${_id.toHexString()}`;
  const as = pharmacy.as('pharmacist');
  assert.equal((await as(path, { method: 'PATCH', json: { restock: 2, pricePerUnit: 2.5 } })).status, 200);
  const entries = await read(as, 'getMedicineHistory', `${path}/history`);
  assert.deepEqual(
    new Map(entries.map(({ action, before, after }) => [action, [before, after]])),
    new Map([
      [
        'restocked',
        [
          { quantity: 3, status: 'low stock' },
          { quantity: 5, status: 'low stock' },
        ],
      ],
      ['edited', [{ pricePerUnit: 2 }, { pricePerUnit: 2.5 }]],
    ]),
  );
});
