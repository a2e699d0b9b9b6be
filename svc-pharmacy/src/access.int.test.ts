import assert from 'node:assert/strict';
import { test } from 'node:test';
import { move, order, orderBody, problemOf, stockMedicine, sharedPharmacy } from './testing/test-pharmacy.ts';

const pharmacy = await sharedPharmacy();

const email = 'patient@clinic.example';

/** All of the pharmacy's data, to check that a rejected call changed nothing. */
async function everything(): Promise<unknown> {
  const { medicines, orders } = pharmacy.collections;
  return [
    await medicines.find().sort({ _id: 1 }).toArray(),
    await orders.find().sort({ _id: 1 }).toArray(),
    await pharmacy.db.collection('events').countDocuments(),
  ];
}

test('callers without access are rejected, and nothing changes', async () => {
  const { _id, medicineId } = await stockMedicine(pharmacy);
  const placed = await order(pharmacy.as('patient'), email, [{ medicineId, quantity: 1 }]);
  const medicine = { name: 'Sneaked in', quantity: 1, expiryDate: '2999-01-01', pricePerUnit: 1 };
  const other = { role: 'patient', email: 'other@mail.example' } as const;
  const before = await everything();

  const post = { method: 'POST', json: orderBody(email, [{ medicineId, quantity: 1 }]) };
  const addition = { method: 'POST', json: { medicine } };
  const restock = { method: 'PATCH', json: { restock: 5 } };
  const imported = { method: 'POST', json: { medicines: [medicine] } };
  const one = `/medicine/${_id.toHexString()}`;
  const forStaff = [
    ['/medicine', addition],
    ['/medicine/import', imported],
    ['/medicine/import/check', imported],
    [one, restock],
    [one, {}],
    [`${one}/history`, {}],
  ] as const;
  for (const [path, init] of [
    ['/orderMedi', {}],
    ['/orderMedi', post],
    ['/orderMedi/changes', {}],
    ...forStaff,
  ] as const) {
    assert.equal((await problemOf(await pharmacy.anonymous(path, init), 401)).code, 'unauthenticated');
  }
  await problemOf(await move(pharmacy.anonymous, placed._id, 'Cancelled'), 401);

  await problemOf(await pharmacy.as(other)('/orderMedi', post), 403);
  for (const role of ['admin', 'pharmacist', 'doctor'] as const)
    await problemOf(await pharmacy.as(role)('/orderMedi', post), 403);
  for (const who of [other, 'doctor'] as const) {
    await problemOf(await move(pharmacy.as(who), placed._id, 'Cancelled'), 403);
    await problemOf(await pharmacy.as(who)(`/orderMedi?email=${email}`), 403);
    await problemOf(await pharmacy.as(who)('/orderMedi'), 403);
    for (const [path, init] of forStaff) await problemOf(await pharmacy.as(who)(path, init), 403);
  }
  await problemOf(await pharmacy.as('patient')('/orderMedi'), 403);
  assert.deepEqual(await everything(), before);
});

test('every signed-in user can order for themselves', async () => {
  const { medicineId } = await stockMedicine(pharmacy);
  for (const role of ['admin', 'doctor', 'patient', 'pharmacist'] as const) {
    const own = `${role}@clinic.example`;
    assert.equal((await order(pharmacy.as(role), own, [{ medicineId, quantity: 1 }])).customeremail, own);
  }
});

test('everybody gets 404 for an unknown order', async () => {
  for (const role of ['patient', 'admin'] as const)
    await problemOf(await move(pharmacy.as(role), 'a'.repeat(24), 'Cancelled'), 404);
});
