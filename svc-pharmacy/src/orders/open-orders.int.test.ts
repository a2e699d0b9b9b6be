import assert from 'node:assert/strict';
import { test } from 'node:test';
import { move, order, orderBody, problemOf, sharedPharmacy, countByStatus } from '../testing/test-pharmacy.ts';

const most = 4;
const pharmacy = await sharedPharmacy({ PHARMACY_MAX_OPEN_ORDERS: String(most) });

const customer = (email: string) => pharmacy.as({ role: 'patient', email });

test('of twelve concurrent orders by one customer, as many succeed as the limit allows, and the rest hold no stock', async () => {
  const email = 'flood@mail.example';
  const stocked = await Promise.all(Array.from({ length: 6 }, () => pharmacy.stockMedicine()));
  // Different medicines: orders of the same one are serialised anyway.
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, number) =>
      customer(email)('/orderMedi', {
        method: 'POST',
        json: orderBody(email, [{ medicineId: stocked[number % 6]?.medicineId ?? '', quantity: 2 }]),
      }),
    ),
  );
  assert.deepEqual(countByStatus(answers), { 201: most, 409: 12 - most });
  assert.equal(await pharmacy.collections.orders.countDocuments({ customerEmail: email }), most);
  const left = await Promise.all(stocked.map(async ({ medicineId }) => (await pharmacy.stockOf(medicineId)).quantity));
  assert.equal(
    left.reduce((sum, quantity) => sum + quantity, 0),
    6 * 100 - most * 2,
  );

  const problem = await problemOf(answers.find(({ status }) => status === 409) ?? assert.fail(), 409);
  assert.equal(problem.code, 'too_many_orders');
});

test('shipped and cancelled orders no longer count, and other customers can still order', async () => {
  const email = 'ann@mail.example';
  const { medicineId } = await pharmacy.stockMedicine();
  const basket = [{ medicineId, quantity: 1 }];
  const again = () => customer(email)('/orderMedi', { method: 'POST', json: orderBody(email, basket) });
  const placed = [];
  for (let number = 0; number < most; number += 1) placed.push(await order(customer(email), email, basket));
  assert.equal((await again()).status, 409);
  await order(customer('ben@mail.example'), 'ben@mail.example', basket);
  await move(customer(email), placed[0]?._id ?? '', 'Cancelled');
  assert.equal((await again()).status, 201);
  assert.equal((await again()).status, 409);
  await move(pharmacy.as('pharmacist'), placed[1]?._id ?? '', 'Shipped');
  assert.equal((await again()).status, 201);
});

test('staff have no limit', async () => {
  const email = 'counter@clinic.example';
  const { medicineId } = await pharmacy.stockMedicine();
  const counter = pharmacy.as({ role: 'pharmacist', email });
  for (let number = 0; number < most + 2; number += 1) await order(counter, email, [{ medicineId, quantity: 1 }]);
});
