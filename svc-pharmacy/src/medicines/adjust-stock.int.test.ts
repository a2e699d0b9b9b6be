import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxQuantity } from '../contract/limits.ts';
import type { Medicine } from '../contract/schemas.ts';
import type { Movement } from '../contract/stock-schemas.ts';
import {
  countByStatus,
  fieldsOf,
  move,
  order,
  orderBody,
  problemOf,
  read,
  sharedPharmacy,
} from '../testing/test-pharmacy.ts';
import { checkStock, settleStocks } from './stock-ledger.ts';

const pharmacy = await sharedPharmacy();
const pharmacist = pharmacy.as('pharmacist');
const email = 'patient@clinic.example';

const adjust = (id: string, json: object, as = pharmacist, key?: string) =>
  as(`/medicine/${id}/adjustments`, { method: 'POST', json, ...(key && { headers: { 'Idempotency-Key': key } }) });
const movementsOf = (id: string): Promise<Movement[]> => read(pharmacist, 'listMovements', `/medicine/${id}/movements`);
const brief = (rows: readonly Movement[]) => rows.map(({ by, quantity, reason }) => [by, quantity, reason]);

async function added(quantity: number, name = 'Adjusted'): Promise<Medicine> {
  const json = { medicine: { name, quantity, expiryDate: '2999-12-31', pricePerUnit: 1 } };
  const response = await pharmacist('/medicine', { method: 'POST', json });
  assert.equal(response.status, 201);
  return (await response.json()) as Medicine;
}

test('stock is corrected up and down with a reason; status, history and movements follow', async () => {
  const { _id, medicine } = await added(12);
  const broken = await adjust(_id.$oid, { by: -3, reason: 'broken', note: 'Dropped on the stairs' });
  assert.equal(broken.status, 200, await broken.clone().text());
  assert.equal(((await broken.json()) as Medicine).status, 'low stock');
  assert.equal((await adjust(_id.$oid, { by: 5, reason: 'counted' })).status, 200);
  const placed = await order(pharmacy.as('patient'), email, [{ medicineId: medicine.medicineId, quantity: 4 }]);
  assert.equal((await move(pharmacy.as('patient'), placed._id, 'Cancelled')).status, 200);
  assert.equal((await pharmacist(`/medicine/${_id.$oid}`, { method: 'PATCH', json: { restock: 2 } })).status, 200);
  const rows = await movementsOf(_id.$oid);
  assert.deepEqual(brief(rows), [
    [2, 16, 'restocked'],
    [4, 14, 'order cancelled'],
    [-4, 10, 'ordered'],
    [5, 14, 'counted'],
    [-3, 9, 'broken'],
    [12, 12, 'added'],
  ]);
  assert.deepEqual(
    rows.map(({ order: id, note, actor }) => [id, note, actor?.role]),
    [
      [undefined, undefined, 'pharmacist'],
      [placed._id, undefined, 'patient'],
      [placed._id, undefined, 'patient'],
      [undefined, undefined, 'pharmacist'],
      [undefined, 'Dropped on the stairs', 'pharmacist'],
      [undefined, undefined, 'pharmacist'],
    ],
  );
  assert.ok(rows.every(({ actor }) => actor?.role === 'patient' || actor?.email === 'pharmacist@clinic.example'));
  const [event] = await pharmacy.eventsOf(_id.$oid, { action: 'adjusted' });
  assert.deepEqual(event?.after, {
    quantity: 9,
    status: 'low stock',
    reason: 'broken',
    note: 'Dropped on the stairs',
  });
});

test('what pending orders hold can’t be taken, and a rejected adjustment changes nothing', async () => {
  const { _id, medicine } = await added(8);
  await order(pharmacy.as('patient'), email, [{ medicineId: medicine.medicineId, quantity: 5 }]);
  const record = await read(pharmacist, 'getMedicine', `/medicine/${_id.$oid}`);
  assert.deepEqual([record.medicine.quantity.$numberInt, record.held], ['3', 5]);
  const problem = await problemOf(await adjust(_id.$oid, { by: -4, reason: 'expired' }), 409);
  assert.equal(problem.code, 'stock_short');
  assert.equal(
    problem.detail,
    'Adjusted has 3 in stock, and pending orders hold 5 more. You can take 3 at most. We haven’t changed anything.',
  );
  assert.deepEqual(await pharmacy.stockOf(medicine.medicineId), { quantity: 3, status: 'low stock' });
  assert.equal((await movementsOf(_id.$oid)).length, 2);
});

test('a count is corrected once, whoever counts again; an order moves nothing on the shelf, a parcel does', async () => {
  const { _id, medicine } = await added(20);
  const buy = () => order(pharmacy.as('patient'), email, [{ medicineId: medicine.medicineId, quantity: 3 }]);
  const count = (onShelf: number, by: number) => adjust(_id.$oid, { by, reason: 'counted', seen: { onShelf } });
  const { _id: parcel } = await buy();
  assert.equal((await count(20, -2)).status, 200);
  const problem = await problemOf(await count(20, -2), 412);
  assert.equal(problem.code, 'changed_meanwhile');
  assert.equal(problem.detail, 'We now expect 18 of Adjusted on the shelf, not 20. Check what is there and try again.');
  await buy();
  assert.equal((await count(18, -1)).status, 200);
  assert.equal((await move(pharmacist, parcel, 'Shipped')).status, 200);
  assert.equal((await count(17, -3)).status, 412);
  assert.equal((await count(14, 1)).status, 200);
  assert.deepEqual(brief(await movementsOf(_id.$oid)), [
    [1, 12, 'counted'],
    [-1, 11, 'counted'],
    [-3, 12, 'ordered'],
    [-2, 15, 'counted'],
    [-3, 17, 'ordered'],
    [20, 20, 'added'],
  ]);
  assert.deepEqual(await fieldsOf(await adjust(_id.$oid, { by: 1, reason: 'counted', seen: {} })), ['seen.onShelf']);
});

test('an adjustment needs a whole number other than zero, a known reason, and words for another one', async () => {
  const { _id } = await added(8);
  for (const [json, fields] of [
    [{ by: 0, reason: 'counted' }, ['by']],
    [{ by: 1.5, reason: 'counted' }, ['by']],
    [{ by: 1_000_001, reason: 'counted' }, ['by']],
    [{ by: 1, reason: 'stolen' }, ['reason']],
    [{ by: 1, reason: 'other' }, ['note']],
    [{ by: 1, reason: 'other', note: '  ' }, ['note']],
    [{ by: 1, reason: 'other', note: 'x'.repeat(201) }, ['note']],
  ] as const)
    assert.deepEqual(await fieldsOf(await adjust(_id.$oid, json)), fields, JSON.stringify(json));
  assert.equal((await adjust('f'.repeat(24), { by: 1, reason: 'counted' })).status, 404);
  const { _id: full } = await pharmacy.stockMedicine({ quantity: maxQuantity });
  assert.deepEqual(await fieldsOf(await adjust(full.toHexString(), { by: 1, reason: 'counted' })), ['by']);
  assert.equal((await movementsOf(_id.$oid)).length, 1);
});

test('a repeated adjustment counts once', async () => {
  const { _id, medicine } = await added(8);
  const send = () => adjust(_id.$oid, { by: -1, reason: 'broken' }, pharmacist, `once-${_id.$oid}`);
  const answers = await Promise.all([send(), send(), send()]);
  assert.ok(answers.every(({ status }) => status === 200 || status === 409));
  assert.equal((await send()).status, 200);
  assert.equal((await pharmacy.stockOf(medicine.medicineId)).quantity, 7);
});

test('fifty people who order and write off the last units never take more than there are', async () => {
  const { _id, medicine } = await added(30, 'Raced');
  /** Repeats what a busy service puts off, as a client does. */
  const insist = async (send: () => Promise<Response>): Promise<Response> => {
    for (;;) {
      const response = await send();
      if (response.status !== 429 && response.status !== 503) return response;
    }
  };
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, client) => {
      const racer = {
        role: client % 2 === 0 ? 'pharmacist' : 'patient',
        email: `racer${client}@mail.example`,
      } as const;
      const headers = { 'Idempotency-Key': `race-${client}` };
      const [path, json] =
        racer.role === 'pharmacist'
          ? [`/medicine/${_id.$oid}/adjustments`, { by: -1, reason: 'expired' }]
          : ['/orderMedi', orderBody(racer.email, [{ medicineId: medicine.medicineId, quantity: 1 }])];
      return insist(() => pharmacy.as(racer)(path, { method: 'POST', headers, json }));
    }),
  );
  const outcomes = countByStatus(responses);
  const taken = (outcomes[200] ?? 0) + (outcomes[201] ?? 0);
  assert.deepEqual([taken, outcomes[409]], [30, 20], JSON.stringify(outcomes));
  assert.deepEqual(await pharmacy.stockOf(medicine.medicineId), { quantity: 0, status: 'out of stock' });
  const own = await movementsOf(_id.$oid);
  assert.equal(own.length, 31);
  assert.equal(
    own.reduce((sum, { by }) => sum + by, 0),
    0,
  );
});

test('what an earlier release changes without a movement is carried over, whoever notices first', async () => {
  const { medicineId, _id } = await pharmacy.stockMedicine({ quantity: 20 });
  const id = _id.toHexString();
  assert.deepEqual(await movementsOf(id), []);
  assert.equal(await settleStocks(pharmacy.context, [_id]), 1);
  assert.equal(await settleStocks(pharmacy.context, [_id]), 0);
  // As the earlier release takes stock.
  await pharmacy.collections.medicines.updateOne({ _id }, { $inc: { quantity: -6 } });
  const wrong = await checkStock(pharmacy.context);
  assert.deepEqual(
    wrong.first.filter((row) => row._id === id).map(({ quantity, moved }) => [quantity, moved]),
    [[14, 20]],
  );
  assert.equal((await adjust(id, { by: -1, reason: 'recalled' })).status, 200);
  assert.deepEqual(brief(await movementsOf(id)), [
    [-1, 13, 'recalled'],
    [-6, 14, 'carried over'],
    [20, 20, 'carried over'],
  ]);
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 13);
});

test('settling and ordering at the same moment leave quantity and movements equal', async () => {
  const { medicineId, _id } = await pharmacy.stockMedicine({ quantity: 40 });
  const buy = (client: number) => {
    const buyer = `settler${client}@mail.example`;
    return order(pharmacy.as({ role: 'patient', email: buyer }), buyer, [{ medicineId, quantity: 1 }]);
  };
  await Promise.all([0, 1, 2, 3].flatMap((client) => [buy(client), settleStocks(pharmacy.context, [_id])]));
  const rows = await movementsOf(_id.toHexString());
  assert.equal(
    rows.reduce((sum, { by }) => sum + by, 0),
    36,
  );
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 36);
});

test('an admin can check that every quantity is the sum of its movements', async () => {
  await settleStocks(pharmacy.context);
  const answer = await read(pharmacy.as('admin'), 'checkStock', '/medicine/stock-check');
  assert.deepEqual([answer.different, answer.first], [0, []]);
  assert.equal(answer.medicines, await pharmacy.collections.medicines.countDocuments());
  assert.equal((await pharmacist('/medicine/stock-check')).status, 403);
});

test('movements are paged', async () => {
  const { _id } = await added(1);
  for (const by of [1, 2, 3]) assert.equal((await adjust(_id.$oid, { by, reason: 'counted' })).status, 200);
  const first = await pharmacist(`/medicine/${_id.$oid}/movements?limit=3`);
  assert.equal(first.headers.get('x-total-count'), '4');
  const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  assert.deepEqual(brief((await (await pharmacist(next)).json()) as Movement[]), [[1, 1, 'added']]);
  assert.equal((await pharmacy.as('patient')(`/medicine/${_id.$oid}/movements`)).status, 403);
});
