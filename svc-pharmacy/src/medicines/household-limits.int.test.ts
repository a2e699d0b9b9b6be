import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MedicineUnit } from '../contract/limits.ts';
import type { Medicine } from '../contract/schemas.ts';
import { pharmacyCalls } from '../contract/calls.ts';
import {
  fieldsOf,
  move,
  order,
  orderBody,
  problemOf,
  read,
  sharedPharmacy,
  countByStatus,
  usual,
} from '../testing/test-pharmacy.ts';

const pharmacy = await sharedPharmacy(usual);

let people = 0;
/** A customer without orders. */
function newcomer() {
  people += 1;
  const email = `household${people}@mail.example`;
  const as = pharmacy.as({ role: 'patient', email });
  return {
    email,
    as,
    place: (items: readonly { medicineId: string; quantity: number }[]) =>
      as('/orderMedi', { method: 'POST', json: orderBody(email, items) }),
  };
}
const left = async (medicineId: string): Promise<number> => (await pharmacy.stockOf(medicineId)).quantity;
const change = (id: string, json: object) => pharmacy.as('pharmacist')(`/medicine/${id}`, { method: 'PATCH', json });

test('one account can’t buy up the stock in one order, and nothing is taken', async () => {
  const stocked = await Promise.all(
    (['box', 'bottle', 'strip', 'piece', 'tablet', 'ml', 'mg'] as const).map((unit) =>
      pharmacy.stockMedicine({ unit, quantity: 5_000 }),
    ),
  );
  const problem = await problemOf(
    await newcomer().place(stocked.map(({ medicineId }) => ({ medicineId, quantity: 5_000 }))),
    409,
  );
  assert.equal(problem.code, 'stock_short');
  assert.deepEqual(
    new Map(problem.lines?.map(({ medicineId, available, reason }) => [medicineId, [available, reason]])),
    new Map(
      stocked.map(({ medicineId, unit }) => [
        medicineId,
        [
          { box: 10, bottle: 10, strip: 10, piece: 100, tablet: 100, ml: 1_000, mg: 1_000 }[unit as MedicineUnit],
          'limit',
        ],
      ]),
    ),
  );
  for (const { medicineId } of stocked) assert.equal(await left(medicineId), 5_000);
});

test('a household’s order goes through: three medicines and thirty tablets', async () => {
  const [a, b, c] = [
    await pharmacy.stockMedicine(),
    await pharmacy.stockMedicine({ unit: 'bottle' }),
    await pharmacy.stockMedicine({ unit: 'strip' }),
  ];
  const tablets = await pharmacy.stockMedicine({ unit: 'tablet' });
  const customer = newcomer();
  const placed = await order(customer.as, customer.email, [
    ...[a, b, c].map(({ medicineId }) => ({ medicineId, quantity: 2 })),
    { medicineId: tablets.medicineId, quantity: 30 },
  ]);
  assert.equal(placed.items.length, 4);
});

test('the limit covers all pending orders, and merges lines of one medicine', async () => {
  const { medicineId, name } = await pharmacy.stockMedicine();
  const customer = newcomer();
  const { _id } = await order(customer.as, customer.email, [
    { medicineId, quantity: 4 },
    { medicineId, quantity: 2 },
  ]);
  const problem = await problemOf(
    await customer.place([
      { medicineId, quantity: 3 },
      { medicineId, quantity: 2 },
    ]),
    409,
  );
  assert.deepEqual(problem.lines, [{ medicineId, name, requested: 5, available: 4, reason: 'limit' }]);
  assert.equal(problem.detail, `You can order at most 4 of ${name}. We haven’t placed your order.`);
  await order(customer.as, customer.email, [{ medicineId, quantity: 4 }]);
  const full = await problemOf(await customer.place([{ medicineId, quantity: 1 }]), 409);
  assert.equal(full.detail, `You already have the most ${name} you can have on order. We haven’t placed your order.`);
  assert.equal(await left(medicineId), 90);
  // Shipped orders no longer count.
  assert.equal((await move(pharmacy.as('pharmacist'), _id, 'Shipped')).status, 200);
  await order(customer.as, customer.email, [{ medicineId, quantity: 6 }]);
  const other = newcomer();
  await order(other.as, other.email, [{ medicineId, quantity: 10 }]);
});

test('concurrent orders can’t exceed the limit of one customer', async () => {
  const { medicineId } = await pharmacy.stockMedicine();
  const customer = newcomer();
  const answers = await Promise.all(Array.from({ length: 8 }, () => customer.place([{ medicineId, quantity: 3 }])));
  assert.deepEqual(countByStatus(answers), { 201: 3, 409: 5 });
  assert.equal(await left(medicineId), 91);
});

test('a customer can have at most twenty different medicines on order', async () => {
  const stocked = await Promise.all(Array.from({ length: 22 }, () => pharmacy.stockMedicine()));
  const line = ({ medicineId }: { medicineId: string }) => ({ medicineId, quantity: 1 });
  const customer = newcomer();
  await order(customer.as, customer.email, stocked.slice(0, 19).map(line));
  const problem = await problemOf(await customer.place(stocked.slice(19, 21).map(line)), 409);
  assert.equal(problem.code, 'too_many_orders');
  assert.match(problem.detail ?? '', /20 different medicines.*would make it 21/);
  // More of a medicine already on order isn't a new medicine.
  await order(customer.as, customer.email, [...stocked.slice(0, 3), ...stocked.slice(19, 20)].map(line));
  assert.deepEqual(await Promise.all(stocked.slice(18).map(({ medicineId }) => left(medicineId))), [99, 99, 100, 100]);
});

test('staff don’t have these limits', async () => {
  const { medicineId } = await pharmacy.stockMedicine({ quantity: 500 });
  await order(pharmacy.as('pharmacist'), 'pharmacist@clinic.example', [{ medicineId, quantity: 400 }]);
  assert.equal(await left(medicineId), 100);
});

test('a pharmacist sets and clears a medicine’s own limit; the history records it', async () => {
  const { _id, medicineId } = await pharmacy.stockMedicine();
  const id = _id.toHexString();
  const saved = async (response: Response): Promise<Medicine> => {
    assert.equal(response.status, 200, await response.clone().text());
    return pharmacyCalls.updateMedicine.response.parse(await response.json());
  };
  const strict = await saved(await change(id, { maxPerCustomer: 2 }));
  assert.deepEqual([strict.medicine.maxPerCustomer, strict.customerLimit], [2, 2]);
  const customer = newcomer();
  await problemOf(await customer.place([{ medicineId, quantity: 3 }]), 409);
  const generous = await saved(await change(id, { maxPerCustomer: 40 }));
  assert.equal(generous.customerLimit, 40);
  await order(customer.as, customer.email, [{ medicineId, quantity: 40 }]);
  const unset = await saved(await change(id, { maxPerCustomer: null }));
  assert.deepEqual([unset.medicine.maxPerCustomer, unset.customerLimit], [undefined, 10]);
  await saved(await change(id, { maxPerCustomer: null }));
  const events = await pharmacy.eventsOf(id, { action: 'edited' });
  assert.deepEqual(
    events.map((event) => [event.before, event.after]),
    [
      [{ maxPerCustomer: null }, { maxPerCustomer: 2 }],
      [{ maxPerCustomer: 2 }, { maxPerCustomer: 40 }],
      [{ maxPerCustomer: 40 }, { maxPerCustomer: null }],
    ],
  );
});

test('a new medicine and an import can set a limit; an invalid one is rejected at its field', async () => {
  const medicine = { name: 'Limited', quantity: 50, unit: 'tablet', expiryDate: '2999-01-01', pricePerUnit: 1 };
  const post = (path: string, json: object) => pharmacy.as('pharmacist')(path, { method: 'POST', json });
  const added = await post('/medicine', { medicine: { ...medicine, maxPerCustomer: 16 } });
  assert.equal(added.status, 201);
  const record = pharmacyCalls.addMedicine.response.parse(await added.json());
  assert.deepEqual([record.medicine.maxPerCustomer, record.customerLimit], [16, 16]);
  assert.equal(
    (
      await post('/medicine/import', {
        medicines: [
          { ...medicine, medicineId: 'LIM-1', maxPerCustomer: 8 },
          { ...medicine, medicineId: 'LIM-2', maxPerCustomer: null },
        ],
      })
    ).status,
    201,
  );
  const imported = await read(pharmacy.anonymous, 'listMedicines', '/medicine?medicineIds=LIM-1,LIM-2');
  assert.deepEqual(
    imported.map(({ medicine: { medicineId, maxPerCustomer }, customerLimit }) => [
      medicineId,
      maxPerCustomer,
      customerLimit,
    ]),
    [
      ['LIM-1', 8, 8],
      ['LIM-2', undefined, 100],
    ],
  );
  for (const maxPerCustomer of [0, -1, 1.5, '5', 10_001, {}]) {
    const rejected = await post('/medicine', { medicine: { ...medicine, maxPerCustomer } });
    assert.deepEqual(await fieldsOf(rejected), ['medicine.maxPerCustomer'], JSON.stringify(maxPerCustomer));
  }
});

test('the limit is part of the ETag', async () => {
  const { _id } = await pharmacy.stockMedicine();
  const id = _id.toHexString();
  const seen = (await pharmacy.as('pharmacist')(`/medicine/${id}`)).headers.get('etag') ?? '';
  assert.equal((await change(id, { maxPerCustomer: 5 })).status, 200);
  const second = await pharmacy.as('admin')(`/medicine/${id}`, {
    method: 'PATCH',
    json: { maxPerCustomer: 50 },
    headers: { 'If-Match': seen },
  });
  assert.equal((await problemOf(second, 412)).code, 'changed_meanwhile');
  assert.equal((await pharmacy.collections.medicines.findOne({ _id }))?.maxPerCustomer, 5);
});
