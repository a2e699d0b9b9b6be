import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toMajor } from '@clinic/contracts';
import { pharmacyCalls } from '../contract/calls.ts';
import { fieldsOf, orderBody, problemOf, sharedPharmacy } from '../testing/test-pharmacy.ts';

const pharmacy = await sharedPharmacy();

const email = 'patient@clinic.example';

interface SeenLine {
  readonly medicineId: string;
  readonly quantity: number;
  readonly pricePerUnit?: unknown;
}

const place = (items: readonly SeenLine[], headers: Record<string, string> = {}) =>
  pharmacy.as('patient')('/orderMedi', { method: 'POST', json: orderBody(email, items), headers });
const reprice = async (id: string, pricePerUnit: number): Promise<void> => {
  const response = await pharmacy.as('pharmacist')(`/medicine/${id}`, { method: 'PATCH', json: { pricePerUnit } });
  assert.equal(response.status, 200);
};
const placed = async (response: Response) => {
  assert.equal(response.status, 201, await response.clone().text());
  return pharmacyCalls.placeOrder.response.parse(await response.json());
};

test('an order with an outdated price is rejected with each change and the new total, and takes no stock', async () => {
  const dear = await pharmacy.stockMedicine({ name: 'Dear', pricePerUnit: 2 });
  const same = await pharmacy.stockMedicine({ name: 'Same', pricePerUnit: 1.5 });
  const cheap = await pharmacy.stockMedicine({ name: 'Cheap', pricePerUnit: 4 });
  await reprice(dear._id.toHexString(), 200);
  await reprice(cheap._id.toHexString(), 3.99);
  const orders = await pharmacy.collections.orders.countDocuments();
  const events = await pharmacy.db.collection('events').countDocuments();

  const problem = await problemOf(
    await place([
      { medicineId: dear.medicineId, quantity: 1, pricePerUnit: 2 },
      { medicineId: same.medicineId, quantity: 2, pricePerUnit: 1.5 },
      { medicineId: cheap.medicineId, quantity: 3, pricePerUnit: { $numberDouble: '4.0' } },
    ]),
    409,
  );
  assert.equal(problem.code, 'price_changed');
  assert.equal(
    problem.detail,
    'Dear costs $200.00, not $2.00; Cheap costs $3.99, not $4.00. The order would now cost $214.97. We haven’t placed it: check the prices and order again.',
  );
  assert.deepEqual(problem.prices, [
    { medicineId: dear.medicineId, name: 'Dear', quantity: 1, seen: 2, now: 200 },
    { medicineId: cheap.medicineId, name: 'Cheap', quantity: 3, seen: 4, now: 3.99 },
  ]);
  assert.equal(problem.total, 214.97);
  assert.deepEqual(
    await Promise.all([dear, same, cheap].map(async ({ medicineId }) => (await pharmacy.stockOf(medicineId)).quantity)),
    [100, 100, 100],
  );
  assert.equal(await pharmacy.collections.orders.countDocuments(), orders);
  assert.equal(await pharmacy.db.collection('events').countDocuments(), events);

  const order = await placed(
    await place([
      { medicineId: dear.medicineId, quantity: 1, pricePerUnit: 200 },
      { medicineId: same.medicineId, quantity: 2, pricePerUnit: 1.5 },
      { medicineId: cheap.medicineId, quantity: 3, pricePerUnit: 3.99 },
    ]),
  );
  assert.deepEqual(
    order.items.map(({ pricePerUnit }) => pricePerUnit),
    [200, 1.5, 3.99],
  );
});

test('every line of a medicine must have the right price', async () => {
  const { medicineId } = await pharmacy.stockMedicine({ pricePerUnit: 2 });
  const problem = await problemOf(
    await place([
      { medicineId, quantity: 1, pricePerUnit: 2 },
      { medicineId, quantity: 1, pricePerUnit: 0 },
    ]),
    409,
  );
  assert.deepEqual(
    problem.prices?.map(({ seen, now, quantity }) => [seen, now, quantity]),
    [[0, 2, 2]],
  );
});

test('an invalid price is rejected at its field; an order without prices is sold at the pharmacy’s', async () => {
  const { medicineId } = await pharmacy.stockMedicine({ pricePerUnit: 2.25 });
  for (const pricePerUnit of ['2.25', null, -1, 0.001, { $gt: 0 }]) {
    const fields = await fieldsOf(await place([{ medicineId, quantity: 1, pricePerUnit }]));
    assert.deepEqual(fields, ['items.0.pricePerUnit'], JSON.stringify(pricePerUnit));
  }
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 100);
  const { items } = await placed(await place([{ medicineId, quantity: 1 }]));
  assert.deepEqual(
    items.map(({ pricePerUnit }) => pricePerUnit),
    [2.25],
  );
});

test('after a lost response and a price change, the same key finds the existing order', async () => {
  const { _id, medicineId } = await pharmacy.stockMedicine({ pricePerUnit: 2 });
  const headers = { 'Idempotency-Key': 'lost-answer' };
  const first = await placed(await place([{ medicineId, quantity: 1, pricePerUnit: 2 }], headers));
  await reprice(_id.toHexString(), 200);
  assert.deepEqual(await placed(await place([{ medicineId, quantity: 1, pricePerUnit: 200 }], headers)), first);
  assert.deepEqual(await placed(await place([{ medicineId, quantity: 1, pricePerUnit: 2 }], headers)), first);
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 99);
});

test('the key of an order rejected for its price works with the new price', async () => {
  const { medicineId } = await pharmacy.stockMedicine({ pricePerUnit: 3 });
  const headers = { 'Idempotency-Key': 'rejected-first' };
  await problemOf(await place([{ medicineId, quantity: 1, pricePerUnit: 2 }], headers), 409);
  await placed(await place([{ medicineId, quantity: 1, pricePerUnit: 3 }], headers));
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 99);
});

test('during a price change, nobody pays a price other than the one they sent', async () => {
  const { _id, medicineId } = await pharmacy.stockMedicine({ quantity: 1_000, pricePerUnit: 1 });
  const prices = [1, 2, 3];
  const customers = Array.from({ length: 24 }, (_, index) => {
    const customer = `price${index}@mail.example`;
    const pricePerUnit = prices[index % prices.length] ?? 1;
    return pharmacy
      .as({ role: 'patient', email: customer })('/orderMedi', {
        method: 'POST',
        json: orderBody(customer, [{ medicineId, quantity: 1, pricePerUnit }]),
      })
      .then((response) => ({ response, pricePerUnit, customer }));
  });
  const changes = (async () => {
    for (const price of [2, 3, 1, 2, 3, 1]) await reprice(_id.toHexString(), price);
  })();
  const answers = await Promise.all(customers);
  await changes;
  for (const { response, pricePerUnit, customer } of answers) {
    const orders = await pharmacy.collections.orders.find({ customerEmail: customer }).toArray();
    if (response.status === 409) {
      assert.equal((await problemOf(response, 409)).code, 'price_changed');
      assert.deepEqual(orders, []);
    } else {
      assert.equal(response.status, 201);
      assert.deepEqual(
        orders.flatMap(({ items }) => items.map(({ priceMinor }) => toMajor(priceMinor))),
        [pricePerUnit],
      );
    }
  }
});
