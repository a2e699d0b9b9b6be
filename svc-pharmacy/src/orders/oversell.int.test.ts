import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Order } from '../contract/order-schemas.ts';
import { untilServed } from '@clinic/service-kit/testing/wait-until';
import { orderBody, sharedPharmacy, countByStatus } from '../testing/test-pharmacy.ts';

const pharmacy = await sharedPharmacy();

const place = (email: string, items: Parameters<typeof orderBody>[1]): Promise<Response> =>
  untilServed(() =>
    pharmacy.as({ role: 'patient', email })('/orderMedi', {
      method: 'POST',
      json: orderBody(email, items),
      headers: { 'Idempotency-Key': email },
    }),
  );

const clients = 40;
const stocks = [25, 18, 9, 30, 12];

test('forty concurrent customers with overlapping carts never oversell, and rejected orders leave no trace', async () => {
  const stocked = await Promise.all(stocks.map((quantity) => pharmacy.stockMedicine({ quantity })));
  const ids = stocked.map(({ medicineId }) => medicineId);
  const basketOf = (client: number) =>
    // Each orders three of the five in a different sequence: taking stock in cart order would deadlock.
    [0, 2, 3].map((step) => ({
      medicineId: ids[(client + step * (client % 2 ? 1 : 4)) % ids.length] as string,
      quantity: 1 + ((client * 7 + step) % 3),
    }));

  const responses = await Promise.all(
    Array.from({ length: clients }, (_, client) => {
      const email = `buyer${client}@mail.example`;
      return place(email, basketOf(client));
    }),
  );

  const outcomes = countByStatus(responses);
  assert.deepEqual(
    Object.keys(outcomes),
    ['201', '409'],
    'some orders were accepted, the others rejected for lack of stock',
  );

  const response = await pharmacy.as('pharmacist')('/orderMedi');
  const orders = (await response.json()) as Order[];
  assert.equal(orders.length, outcomes[201]);
  for (const [index, medicineId] of ids.entries()) {
    const taken = orders
      .flatMap(({ items }) => items)
      .filter((item) => item.medicineId === medicineId)
      .reduce((sum, { quantity }) => sum + quantity, 0);
    const { quantity } = await pharmacy.stockOf(medicineId);
    assert.ok(quantity >= 0, `${medicineId} is not oversold`);
    assert.equal(quantity, (stocks[index] ?? 0) - taken, `the stock taken of ${medicineId} equals the orders`);
  }

  const served = new Set(orders.map(({ _id }) => _id));
  const events = await pharmacy.db.collection('events').find({}).toArray();
  const traces = events.map(
    (event) => (event['record'].type === 'order' ? event['record'].id : event['after'].orderId) as string,
  );
  assert.ok(
    traces.every((orderId) => served.has(orderId)),
    'the history has no rejected orders',
  );
});

test('the last unit goes to exactly one of twenty', async () => {
  const { medicineId } = await pharmacy.stockMedicine({ quantity: 1 });
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, client) => {
      const email = `late${client}@mail.example`;
      return place(email, [{ medicineId, quantity: 1 }]);
    }),
  );
  assert.deepEqual(countByStatus(responses), { 201: 1, 409: 19 });
  assert.deepEqual(await pharmacy.stockOf(medicineId), { quantity: 0, status: 'out of stock' });
});
