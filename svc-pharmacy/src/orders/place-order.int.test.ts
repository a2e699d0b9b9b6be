import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, clinicMoment } from '@clinic/contracts';
import { pharmacyCalls } from '../contract/calls.ts';
import { holdClock } from '@clinic/service-kit/testing/hold-clock';
import { fieldsOf, order, orderBody, problemOf, sharedPharmacy } from '../testing/test-pharmacy.ts';

const pharmacy = await sharedPharmacy();

const email = 'patient@clinic.example';
const today = () => clinicMoment(new Date(), 'Asia/Dhaka').date;
const place = (items: readonly { medicineId: string; quantity: unknown }[], headers: Record<string, string> = {}) =>
  pharmacy.as('patient')('/orderMedi', { method: 'POST', json: orderBody(email, items), headers });

test('an order’s names, dates and status come from the pharmacy’s own records, whatever the client sends', async () => {
  const { medicineId, name } = await pharmacy.stockMedicine({ quantity: 20, pricePerUnit: 12.35 });
  const lie = {
    medicineId,
    quantity: 3,
    name: 'Free medicine',
    expiryDate: '3000-01-01',
    unit: 'gift',
    status: 'in stock',
  };
  const began = Date.now();
  const response = await pharmacy.as('patient')('/orderMedi', {
    method: 'POST',
    json: { ...orderBody(email, [lie]), status: 'Delivered', orderDate: '1999-01-01T00:00:00.000Z' },
  });
  assert.equal(response.status, 201);
  const placed = pharmacyCalls.placeOrder.response.parse(await response.json());
  assert.deepEqual(placed.items, [
    {
      medicineId,
      name,
      manufacturer: 'Test Labs',
      quantity: 3,
      unit: 'box',
      pricePerUnit: 12.35,
      expiryDate: '2999-12-31',
    },
  ]);
  assert.equal(placed.status, 'pending');
  const orderedAt = Date.parse(placed.orderDate);
  assert.ok(orderedAt >= began && orderedAt <= Date.now(), placed.orderDate);
  assert.deepEqual(await pharmacy.stockOf(medicineId), { quantity: 17, status: 'in stock' });
});

test('every line that can’t be delivered is named, and no stock is taken', async () => {
  const plenty = await pharmacy.stockMedicine({ quantity: 50 });
  const few = await pharmacy.stockMedicine({ quantity: 2 });
  const none = await pharmacy.stockMedicine({ quantity: 0 });
  const expired = await pharmacy.stockMedicine({ expiryDate: addDays(today(), -1) });
  const orders = await pharmacy.collections.orders.countDocuments();
  const response = await place([
    { medicineId: plenty.medicineId, quantity: 1 },
    { medicineId: few.medicineId, quantity: 3 },
    { medicineId: none.medicineId, quantity: 1 },
    { medicineId: expired.medicineId, quantity: 1 },
    { medicineId: 'NO-SUCH', quantity: 1 },
  ]);
  const problem = await problemOf(response, 409);
  assert.equal(problem.code, 'stock_short');
  assert.deepEqual(
    new Map(problem.lines?.map(({ medicineId, reason, available }) => [medicineId, [reason, available]])),
    new Map<unknown, unknown[]>([
      [few.medicineId, ['not enough', 2]],
      [none.medicineId, ['out of stock', 0]],
      [expired.medicineId, ['expired', 0]],
      ['NO-SUCH', ['unknown', 0]],
    ]),
  );
  assert.deepEqual(
    await Promise.all(
      [plenty, few, expired].map(async ({ medicineId }) => (await pharmacy.stockOf(medicineId)).quantity),
    ),
    [50, 2, 100],
  );
  assert.equal(await pharmacy.collections.orders.countDocuments(), orders);
});

test('a medicine is sold on its day of expiry, by the clinic’s clock', async (t) => {
  holdClock(t);
  const { medicineId } = await pharmacy.stockMedicine({ expiryDate: today() });
  await order(pharmacy.as('patient'), email, [{ medicineId, quantity: 1 }]);
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 99);
});

test('invalid quantities are rejected, naming the field', async () => {
  const { medicineId } = await pharmacy.stockMedicine();
  for (const quantity of [0, -1, 1.5, 1e12, Number.NaN, Number.POSITIVE_INFINITY, '2', null, { $gt: 0 }, true]) {
    const fields = await fieldsOf(await place([{ medicineId, quantity }]));
    assert.deepEqual(fields, ['items.0.quantity'], `quantity ${JSON.stringify(quantity)}`);
  }
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 100);
});

test('an empty cart is rejected', async () => {
  const problem = await problemOf(await place([]), 400);
  assert.deepEqual(problem.errors, [{ field: 'items', message: 'Add at least one medicine to your cart' }]);
});

test('the same Idempotency-Key makes one order, even for concurrent requests', async () => {
  const { medicineId } = await pharmacy.stockMedicine({ quantity: 30 });
  const headers = { 'Idempotency-Key': 'a-double-click' };
  const responses = await Promise.all(Array.from({ length: 5 }, () => place([{ medicineId, quantity: 4 }], headers)));
  const bodies = await Promise.all(
    responses.map((response) => response.json() as Promise<{ _id?: string; code?: string }>),
  );
  const placed = bodies.filter(({ code }) => code === undefined);
  assert.ok(bodies.every(({ code }) => code === undefined || code === 'in_progress'));
  assert.equal(new Set(placed.map(({ _id }) => _id)).size, 1);

  const again = await place([{ medicineId, quantity: 4 }], headers);
  assert.equal(again.status, 201);
  assert.deepEqual(await again.json(), placed[0]);
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 26);
  const other = await problemOf(await place([{ medicineId, quantity: 5 }], headers), 422);
  assert.equal(other.code, 'idempotency_mismatch');
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 26);
});

test('an order and its stock movements have a history', async () => {
  const medicine = await pharmacy.stockMedicine({ quantity: 11 });
  const { medicineId } = medicine;
  const { _id } = await order(pharmacy.as('patient'), email, [{ medicineId, quantity: 2 }]);
  const [placed] = await pharmacy.eventsOf(_id);
  assert.deepEqual(
    [placed?.action, placed?.call, placed?.actor?.email, placed?.before, placed?.after],
    ['placed', 'placeOrder', email, null, { status: 'pending' }],
  );
  const [moved] = await pharmacy.eventsOf(medicine._id.toHexString());
  assert.deepEqual(
    [moved?.action, moved?.before, moved?.after],
    ['ordered', { quantity: 11, status: 'in stock' }, { quantity: 9, status: 'low stock', orderId: _id }],
  );
});
