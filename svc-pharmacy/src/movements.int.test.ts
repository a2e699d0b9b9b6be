import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Order } from './contract/order-schemas.ts';
import fc from 'fast-check';
import { ObjectId } from 'mongodb';
import { move, orderBody, sharedPharmacy } from './testing/test-pharmacy.ts';

const pharmacy = await sharedPharmacy();

const email = 'patient@clinic.example';

/** Actions in a pharmacy of three medicines; orders are identified by the step that placed them. */
type Step =
  | { readonly do: 'restock'; readonly medicine: number; readonly units: number }
  | { readonly do: 'edit'; readonly medicine: number; readonly price: number }
  | { readonly do: 'adjust'; readonly medicine: number; readonly units: number }
  | { readonly do: 'order'; readonly lines: readonly (readonly [medicine: number, units: number])[] }
  | { readonly do: 'cancel' | 'ship' | 'deliver'; readonly order: number };

const medicine = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('restock' as const), medicine, units: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ do: fc.constant('adjust' as const), medicine, units: fc.integer({ min: -15, max: 15 }).filter(Boolean) }),
  fc.record({ do: fc.constant('edit' as const), medicine, price: fc.integer({ min: 0, max: 500 }) }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      lines: fc.array(fc.tuple(medicine, fc.integer({ min: 1, max: 12 })), { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('cancel' as const, 'ship' as const, 'deliver' as const),
      order: fc.nat(5),
    }),
  },
);

interface Product {
  readonly id: string;
  readonly medicineId: string;
}

async function addMedicine(quantity: number): Promise<Product> {
  const body = { medicine: { name: 'Counted', quantity, expiryDate: '2999-12-31', pricePerUnit: 1 } };
  const response = await pharmacy.as('pharmacist')('/medicine', { method: 'POST', json: body });
  assert.equal(response.status, 201);
  const record = (await response.json()) as { _id: { $oid: string }; medicine: { medicineId: string } };
  return { id: record._id.$oid, medicineId: record.medicine.medicineId };
}

/** Runs a step; @returns whether the pharmacy accepted it */
async function take(step: Step, products: readonly Product[], orders: Order[]): Promise<boolean> {
  const product = (index: number) => products[index] as Product;
  const patch = (index: number, json: object) =>
    pharmacy.as('pharmacist')(`/medicine/${product(index).id}`, { method: 'PATCH', json });
  switch (step.do) {
    case 'restock':
      return (await patch(step.medicine, { restock: step.units })).status === 200;
    case 'adjust': {
      const json = { by: step.units, reason: step.units < 0 ? 'broken' : 'returned' };
      const path = `/medicine/${product(step.medicine).id}/adjustments`;
      const { status } = await pharmacy.as('pharmacist')(path, { method: 'POST', json });
      assert.ok([200, 409].includes(status));
      return status === 200;
    }
    case 'edit':
      return (await patch(step.medicine, { pricePerUnit: step.price / 100 })).status === 200;
    case 'order': {
      const items = step.lines.map(([index, quantity]) => ({ medicineId: product(index).medicineId, quantity }));
      const response = await pharmacy.as('patient')('/orderMedi', { method: 'POST', json: orderBody(email, items) });
      assert.ok([201, 409].includes(response.status));
      if (response.status === 201) orders.push((await response.json()) as Order);
      return response.status === 201;
    }
    case 'cancel':
    case 'ship':
    case 'deliver': {
      const order = orders[step.order];
      if (!order) return false;
      const status = ({ cancel: 'Cancelled', ship: 'Shipped', deliver: 'Delivered' } as const)[step.do];
      return (await move(pharmacy.as('admin'), order._id, status)).status === 200;
    }
  }
}

interface Movement {
  readonly before: { readonly quantity?: number } | null;
  readonly after: { readonly quantity?: number };
}

/** Each movement starts from the stock that the previous one left, and together they add up to the stock. */
async function assertMovementsSumUp(
  { id, medicineId }: Product,
  orders: readonly Order[],
  added: number,
): Promise<void> {
  const stock = (await pharmacy.collections.medicines.findOne({ medicineId }))?.quantity ?? Number.NaN;
  const movements = (await pharmacy.db
    .collection('events')
    .find({ 'record.id': id, action: { $ne: 'edited' } })
    .sort({ at: 1, _id: 1 })
    .toArray()) as unknown as Movement[];
  let sum = 0;
  for (const { before: from, after: to } of movements) {
    assert.equal(from?.quantity ?? 0, sum, 'no movement is missing');
    sum += (to.quantity ?? Number.NaN) - (from?.quantity ?? 0);
    assert.ok(sum >= 0);
  }
  assert.equal(sum, stock, 'the history sums to the stock');
  const rows = await pharmacy.collections.movements
    .find({ medicine: new ObjectId(id) })
    .sort({ place: 1 })
    .toArray();
  assert.deepEqual(
    rows.map(({ by, quantity }) => [by, quantity]),
    movements.map(({ before: from, after: to }) => [(to.quantity ?? 0) - (from?.quantity ?? 0), to.quantity]),
    'each change has its movement',
  );
  const kept = await pharmacy.collections.orders
    .find({ _id: { $in: orders.map(({ _id }) => new ObjectId(_id)) }, status: { $ne: 'Cancelled' } })
    .toArray();
  const sold = kept.flatMap(({ items }) => items).filter((item) => item.medicineId === medicineId);
  assert.equal(
    stock,
    added - sold.reduce((total, { quantity }) => total + quantity, 0),
    'stock plus sales equals the units added',
  );
}

test('after every step of any sequence, the movements add up to the stock', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(25), { minLength: 3, maxLength: 3 }),
      fc.array(step, { minLength: 1, maxLength: 14 }),
      async (stocks, steps) => {
        const products: Product[] = [];
        for (const quantity of stocks) products.push(await addMedicine(quantity));
        const added = [...stocks];
        const orders: Order[] = [];
        for (const step of steps) {
          const accepted = await take(step, products, orders);
          if (accepted && (step.do === 'restock' || step.do === 'adjust'))
            added[step.medicine] = (added[step.medicine] ?? 0) + step.units;
          for (const [index, product] of products.entries())
            await assertMovementsSumUp(product, orders, added[index] ?? 0);
        }
      },
    ),
    { numRuns: 25 },
  );
});

test('the movements add up to the stock after concurrent steps, too', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
      const products: Product[] = [];
      for (const quantity of [20, 20, 20]) products.push(await addMedicine(quantity));
      const orders: Order[] = [];
      const accepted = await Promise.all(steps.map((step) => take(step, products, orders)));
      const restocked = (medicine: number) =>
        steps.reduce(
          (sum, step, index) =>
            accepted[index] && (step.do === 'restock' || step.do === 'adjust') && step.medicine === medicine
              ? sum + step.units
              : sum,
          20,
        );
      for (const [index, product] of products.entries()) await assertMovementsSumUp(product, orders, restocked(index));
    }),
    { numRuns: 10 },
  );
});
