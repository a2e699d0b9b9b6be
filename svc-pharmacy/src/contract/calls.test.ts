import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pharmacyCalls } from './calls.ts';

const orderOf = (...items: readonly object[]) => ({
  items,
  deliveryAddress: 'x',
  customeremail: 'a@b.example',
  customerPhone: '12345',
});

const messages = (id: 'placeOrder' | 'addMedicine', body: unknown): string[] =>
  (pharmacyCalls[id].body.safeParse(body).error?.issues ?? []).map(
    (issue) => `${issue.path.join('.')}: ${issue.message}`,
  );

test('an order needs whole, positive quantities and at least one line', () => {
  const order = (quantity: unknown) => orderOf({ medicineId: 'M', quantity });
  for (const bad of [-1, 0, 1.5, Number.NaN, '2', 1e12, null])
    assert.equal(messages('placeOrder', order(bad)).length, 1, String(bad));
  assert.deepEqual(messages('placeOrder', { ...order(1), items: [] }), [
    'items: Add at least one medicine to your cart',
  ]);
  assert.deepEqual(messages('placeOrder', order(2)), []);
});

test('the unit limit holds for all lines of a medicine together', () => {
  const order = (...quantities: number[]) =>
    orderOf(
      { medicineId: 'OTHER', quantity: 10_000 },
      ...quantities.map((quantity) => ({ medicineId: ' M ', quantity })),
    );
  assert.deepEqual(messages('placeOrder', order(9_999, 1)), []);
  assert.deepEqual(messages('placeOrder', order(9_999, 1, 1)), [
    'items.3.quantity: Quantity must be 10000 or less for one medicine, across all its lines',
  ]);
  assert.deepEqual(messages('placeOrder', order(...Array.from({ length: 99 }, () => 10_000))), [
    'items.2.quantity: Quantity must be 10000 or less for one medicine, across all its lines',
  ]);
});

test('a negative zero is zero, and a medicine comes in boxes unless it says otherwise', () => {
  for (const zero of [-0, { $numberDouble: '-0.0' }, { $numberInt: '-0' }]) {
    const { medicine } = pharmacyCalls.addMedicine.body.parse({
      medicine: { name: 'Napa', quantity: zero, pricePerUnit: zero, expiryDate: '2027-01-01' },
    });
    assert.equal(medicine.unit, 'box');
    assert.ok(Object.is(medicine.quantity, 0) && Object.is(medicine.pricePerUnit, 0), JSON.stringify(zero));
  }
});
