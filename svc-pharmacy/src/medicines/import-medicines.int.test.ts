import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pharmacyCalls } from '../contract/calls.ts';
import { fieldsOf, problemOf, sharedPharmacy, countByStatus } from '../testing/test-pharmacy.ts';

const pharmacy = await sharedPharmacy();

const line = (name: string, more: object = {}) => ({
  name,
  manufacturer: 'Maker',
  quantity: 4,
  unit: 'box',
  expiryDate: '2999-12-31',
  pricePerUnit: 1.5,
  ...more,
});
const send = (medicines: readonly object[], key?: string) =>
  pharmacy.as('pharmacist')('/medicine/import', {
    method: 'POST',
    json: { medicines },
    headers: key === undefined ? {} : { 'Idempotency-Key': key },
  });
const check = (medicines: readonly object[]) =>
  pharmacy.as('pharmacist')('/medicine/import/check', { method: 'POST', json: { medicines } });
const count = () => pharmacy.collections.medicines.countDocuments();

test('imports ten thousand lines in parts of a hundred, each with its own number and history entry', async () => {
  for (let part = 0; part < 100; part += 1) {
    const response = await send(
      Array.from({ length: 100 }, (_, index) => line(`Medicine ${part * 100 + index}`)),
      `part-${part}`,
    );
    assert.equal(response.status, 201, await response.clone().text());
    assert.deepEqual(pharmacyCalls.importMedicines.response.parse(await response.json()), { added: 100 });
  }
  assert.equal(await count(), 10_000);
  assert.equal((await pharmacy.collections.medicines.distinct('medicineId')).length, 10_000);
  assert.equal(await pharmacy.db.collection('events').countDocuments({ action: 'added' }), 10_000);
  const [one] = await pharmacy.collections.medicines.find({ name: 'Medicine 4711' }).toArray();
  assert.deepEqual(
    [one?.status, one?.pharmacistEmail, one?.priceMinor],
    ['low stock', 'pharmacist@clinic.example', 150],
  );
});

test('a repeated part is imported once, even if sent concurrently', async () => {
  const before = await count();
  const part = [line('Once A'), line('Once B', { medicineId: 'ONCE-B' })];
  const responses = await Promise.all(Array.from({ length: 8 }, () => send(part, 'again')));
  assert.ok(
    responses.every(({ status }) => status === 201 || status === 409),
    JSON.stringify(countByStatus(responses)),
  );
  assert.equal((await send(part, 'again')).status, 201);
  assert.equal(await count(), before + 2);
  assert.equal((await problemOf(await send([line('Other')], 'again'), 422)).code, 'idempotency_mismatch');
});

test('every invalid field of every line is named, and nothing of an invalid part is stored', async () => {
  const before = await count();
  const bad = [
    line('Good'),
    line(' ', { quantity: -1 }),
    line('Also good'),
    line('Bad', { expiryDate: '2027-02-30', pricePerUnit: 'much', unit: 'barrel' }),
  ];
  const expected = [
    'medicines.1.name',
    'medicines.1.quantity',
    'medicines.3.expiryDate',
    'medicines.3.pricePerUnit',
    'medicines.3.unit',
  ];
  for (const response of [await check(bad), await send(bad)]) {
    assert.deepEqual((await fieldsOf(response))?.toSorted(), expected);
  }
  assert.equal(await count(), before);
});

test('numbers taken in the inventory or within the part are named at their lines', async () => {
  assert.equal((await send([line('First', { medicineId: 'TAKEN' })])).status, 201);
  const before = await count();
  const part = [
    line('A', { medicineId: 'FREE' }),
    line('B', { medicineId: 'TAKEN' }),
    line('C', { medicineId: 'FREE' }),
    line('D'),
  ];
  for (const response of [await check(part), await send(part)]) {
    const problem = await problemOf(response, 409);
    assert.equal(problem.code, 'duplicate');
    assert.deepEqual(
      problem.errors?.map(({ field, message }) => [field, message]),
      [
        [
          'medicines.1.medicineId',
          'There’s already a medicine with the ID TAKEN. Give this line another ID, or leave it out and restock that medicine',
        ],
        ['medicines.2.medicineId', 'The ID FREE is on an earlier line. Give one of them another ID'],
      ],
    );
  }
  assert.equal(await count(), before);
});

test('of two concurrent imports of the same numbers one wins completely', async () => {
  const before = await count();
  const part = (name: string) => ['R-1', 'R-2', 'R-3'].map((medicineId) => line(name, { medicineId }));
  const responses = await Promise.all(['A', 'B', 'C', 'D'].map((name) => send(part(name))));
  assert.deepEqual(countByStatus(responses), { 201: 1, 409: 3 });
  assert.equal(await count(), before + 3);
  const names = await pharmacy.collections.medicines.distinct('name', { medicineId: { $in: ['R-1', 'R-2', 'R-3'] } });
  assert.equal(names.length, 1);
});

test('a check stores nothing; empty and oversized parts are rejected', async () => {
  const before = await count();
  assert.deepEqual(await (await check([line('A'), line('B')])).json(), { acceptable: 2 });
  assert.equal((await send([])).status, 400);
  assert.equal((await send(Array.from({ length: 101 }, () => line('A')))).status, 400);
  assert.equal(await count(), before);
});

test('imports the category, and names the line of an unknown one', async () => {
  assert.equal((await send([line('Cat A', { category: 'Vitamins' }), line('Cat B')])).status, 201);
  const stored = await pharmacy.collections.medicines.find({ name: /^Cat / }).sort({ name: 1 }).toArray();
  assert.deepEqual(
    stored.map(({ category }) => category),
    ['Vitamins', undefined],
  );
  const before = await count();
  const rejected = await send([line('Cat C'), line('Cat D', { category: 'Sweets' })]);
  assert.deepEqual(await fieldsOf(rejected), ['medicines.1.category']);
  assert.equal(await count(), before);
});
