import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clinicMoment } from '@clinic/contracts';
import type { Medicine } from '../contract/schemas.ts';
import { pharmacyCalls } from '../contract/calls.ts';
import { holdClock } from '@clinic/service-kit/testing/hold-clock';
import { Double, Int32, Long } from 'mongodb';
import { fieldsOf, order, problemOf, read, sharedPharmacy, countByStatus } from '../testing/test-pharmacy.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';

const pharmacy = await sharedPharmacy();

const details = {
  name: 'Ibuprofen 400 mg',
  manufacturer: 'Maker',
  quantity: 40,
  unit: 'strip',
  expiryDate: '2999-05-31',
  pricePerUnit: 1.6,
};
const add = (medicine: object, rest: object = {}) =>
  pharmacy.as('pharmacist')('/medicine', { method: 'POST', json: { medicine, ...rest } });
const change = (id: string, json: object) => pharmacy.as('pharmacist')(`/medicine/${id}`, { method: 'PATCH', json });

async function added(medicine: object, rest: object = {}): Promise<Medicine> {
  return pharmacyCalls.addMedicine.response.parse(await readJson(add(medicine, rest), 201));
}

test('the server sets a new medicine’s date, status and pharmacist', async (t) => {
  holdClock(t);
  const record = await added(
    { ...details, medicineId: 'IBU-1' },
    { pharmacistEmail: 'somebody@else.example', status: 'out of stock' },
  );
  assert.equal(record.pharmacistEmail, 'pharmacist@clinic.example');
  assert.equal(record.addedDate, clinicMoment(new Date(), 'Asia/Dhaka').date);
  assert.equal(record.status, 'in stock');
  assert.deepEqual(record.medicine, {
    ...details,
    medicineId: 'IBU-1',
    quantity: { $numberInt: '40' },
    pricePerUnit: { $numberDouble: '1.6' },
  });
});

test('a record written by another client with plain, long or double numbers reads the same', async () => {
  const written = await pharmacy.stockMedicine({ quantity: 25, pricePerUnit: 12 });
  const records: string[] = [];
  for (const numbers of [
    { quantity: new Int32(25), priceMinor: new Int32(1200) },
    { quantity: new Double(25), priceMinor: new Double(1200) },
    { quantity: Long.fromNumber(25), priceMinor: Long.fromNumber(1200) },
  ]) {
    await pharmacy.db.collection('medicines').updateOne({ _id: written._id }, { $set: numbers });
    records.push(
      JSON.stringify({
        ...(await read(pharmacy.as('pharmacist'), 'getMedicine', `/medicine/${written._id.toHexString()}`)),
        held: 0,
      }),
    );
    await order(pharmacy.as('patient'), 'patient@clinic.example', [{ medicineId: written.medicineId, quantity: 5 }]);
    assert.equal((await pharmacy.stockOf(written.medicineId)).quantity, 20);
  }
  assert.equal(new Set(records).size, 1);
  assert.match(records[0] ?? '', /"quantity":\{"\$numberInt":"25"\}.*"pricePerUnit":\{"\$numberDouble":"12\.0"\}/);
});

test('a price of minus zero is zero, even if stored by an earlier release', async () => {
  assert.deepEqual((await added({ ...details, pricePerUnit: { $numberDouble: '-0.0' } })).medicine.pricePerUnit, {
    $numberDouble: '0.0',
  });
  const { _id } = await pharmacy.stockMedicine();
  await pharmacy.db.collection('medicines').updateOne({ _id }, { $set: { priceMinor: new Double(-0) } });
  const record = await read(pharmacy.as('pharmacist'), 'getMedicine', `/medicine/${_id.toHexString()}`);
  assert.deepEqual(record.medicine.pricePerUnit, { $numberDouble: '0.0' });
});

test('a new medicine without stock is out of stock, whatever the request contains', async () => {
  assert.equal((await added({ ...details, quantity: 0 }, { status: 'in stock' })).status, 'out of stock');
});

test('medicines without a number each get the next free one', async () => {
  await pharmacy.collections.medicines.deleteMany({ medicineId: /^MED-/ });
  const { last = 0 } = (await pharmacy.collections.counters.findOne({ _id: 'medicineId' })) ?? {};
  const byHand = `MED-${String(last + 3).padStart(4, '0')}`;
  await added({ ...details, medicineId: byHand });
  const records = await Promise.all(Array.from({ length: 12 }, () => added({ ...details, medicineId: '' })));
  const numbers = records.map(({ medicine }) => medicine.medicineId);
  assert.equal(new Set([...numbers, byHand]).size, 13);
  assert.ok(
    numbers.every((number) => /^MED-\d{4}$/.test(number)),
    numbers.join(),
  );
});

test('a taken number is rejected at its field', async () => {
  const responses = await Promise.all(Array.from({ length: 5 }, () => add({ ...details, medicineId: 'TWICE' })));
  assert.deepEqual(countByStatus(responses), { 201: 1, 409: 4 });
  const problem = await problemOf(await add({ ...details, medicineId: 'TWICE' }), 409);
  assert.equal(problem.code, 'duplicate');
  assert.deepEqual(
    problem.errors?.map(({ field, message }) => [field, message]),
    [['medicine.medicineId', 'There’s already a medicine with the ID TWICE. Enter another, or restock that one']],
  );
});

test('missing and invalid values are rejected at their field', async () => {
  const wrong: [object, string][] = [
    [{ name: ' ' }, 'medicine.name'],
    [{ quantity: -1 }, 'medicine.quantity'],
    [{ quantity: 1.5 }, 'medicine.quantity'],
    [{ quantity: 3e9 }, 'medicine.quantity'],
    [{ quantity: { $numberInt: '' } }, 'medicine.quantity'],
    [{ quantity: Number.NaN }, 'medicine.quantity'],
    [{ quantity: '4' }, 'medicine.quantity'],
    [{ unit: 'barrel' }, 'medicine.unit'],
    [{ expiryDate: '2027-02-30' }, 'medicine.expiryDate'],
    [{ pricePerUnit: -0.01 }, 'medicine.pricePerUnit'],
    [{ pricePerUnit: 0.001 }, 'medicine.pricePerUnit'],
  ];
  const before = await pharmacy.collections.medicines.countDocuments();
  for (const [change, field] of wrong) {
    assert.deepEqual(await fieldsOf(await add({ ...details, ...change })), [field], JSON.stringify(change));
  }
  assert.equal(await pharmacy.collections.medicines.countDocuments(), before);
});

test('restocking adds to the stock, updates the status and adds a history entry', async () => {
  const { _id, medicineId } = await pharmacy.stockMedicine({ quantity: 0 });
  const id = _id.toHexString();
  const response = await change(id, { restock: 30 });
  assert.equal(response.status, 200);
  const record = pharmacyCalls.updateMedicine.response.parse(await response.json());
  assert.deepEqual([record.medicine.quantity, record.status], [{ $numberInt: '30' }, 'in stock']);
  assert.deepEqual(await pharmacy.stockOf(medicineId), { quantity: 30, status: 'in stock' });
  assert.deepEqual(
    (await pharmacy.eventsOf(id)).map((event) => [event.action, event.before, event.after]),
    [['restocked', { quantity: 0, status: 'out of stock' }, { quantity: 30, status: 'in stock' }]],
  );
});

test('concurrent restocks all count', async () => {
  const { _id, medicineId } = await pharmacy.stockMedicine({ quantity: 5 });
  const responses = await Promise.all(Array.from({ length: 10 }, () => change(_id.toHexString(), { restock: 2 })));
  assert.deepEqual(countByStatus(responses), { 200: 10 });
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 25);
});

test('more than the maximum stock is rejected, and nothing changes', async () => {
  const { _id, medicineId } = await pharmacy.stockMedicine({ quantity: 2_147_483_000 });
  const rejected = await change(_id.toHexString(), { restock: 1000, name: 'Renamed' });
  assert.deepEqual(await fieldsOf(rejected), ['restock']);
  const medicine = await pharmacy.collections.medicines.findOne({ medicineId });
  assert.deepEqual([medicine?.quantity, medicine?.name === 'Renamed'], [2_147_483_000, false]);
});

test('an edit changes the fields it names, and the history has old and new values', async () => {
  const { _id, manufacturer } = await pharmacy.stockMedicine({ name: 'Aspirin', pricePerUnit: 2 });
  const id = _id.toHexString();
  const response = await change(id, { name: 'Aspirin 75 mg', pricePerUnit: 2.25, manufacturer });
  const { medicine } = pharmacyCalls.updateMedicine.response.parse(await response.json());
  assert.deepEqual(
    [medicine.name, medicine.pricePerUnit, medicine.quantity],
    ['Aspirin 75 mg', { $numberDouble: '2.25' }, { $numberInt: '100' }],
  );
  const [event] = await pharmacy.eventsOf(id);
  assert.deepEqual(event?.before, { name: 'Aspirin', nameKey: 'aspirin', priceMinor: 200 });
  assert.deepEqual(event?.after, { name: 'Aspirin 75 mg', nameKey: 'aspirin 75 mg', priceMinor: 225 });
  const found = await pharmacy.anonymous('/medicine?limit=5&q=aspirin%2075');
  assert.deepEqual(
    ((await found.json()) as Medicine[]).map((record) => record._id.$oid),
    [id],
  );
});

test('an empty change, an unknown medicine and a malformed id are rejected', async () => {
  const { _id } = await pharmacy.stockMedicine();
  assert.equal((await problemOf(await change(_id.toHexString(), {}), 400)).code, 'validation_failed');
  assert.equal((await problemOf(await change('f'.repeat(24), { restock: 1 }), 404)).code, 'not_found');
  assert.equal((await problemOf(await change('x', { restock: 1 }), 400)).code, 'bad_id');
});

test('a pharmacist sets a medicine’s category, and the store finds it by that', async () => {
  const named = await added({ ...details, name: 'Cat A', category: 'Vitamins' });
  const other = await added({ ...details, name: 'Cat B' });
  assert.equal(named.medicine.category, 'Vitamins');
  assert.equal('category' in other.medicine, false);
  const found = async (category: string) =>
    (await read(pharmacy.anonymous, 'listMedicines', `/medicine?category=${category}&limit=5`)).map(
      ({ medicine }) => medicine.name,
    );
  assert.deepEqual(await found('Vitamins'), ['Cat A']);

  const id = other._id.$oid;
  assert.equal((await change(id, { category: 'Vitamins' })).status, 200);
  assert.deepEqual(await found('Vitamins'), ['Cat A', 'Cat B']);
  const history = await read(pharmacy.as('pharmacist'), 'getMedicineHistory', `/medicine/${id}/history`);
  assert.deepEqual(
    [history[0]?.action, history[0]?.before, history[0]?.after],
    ['edited', { category: null }, { category: 'Vitamins' }],
  );

  const cleared = pharmacyCalls.updateMedicine.response.parse(await (await change(id, { category: null })).json());
  assert.equal('category' in cleared.medicine, false);
  assert.deepEqual(await found('Vitamins'), ['Cat A']);
  for (const json of [{ category: 'Sweets' }, { category: { $ne: 'x' } }])
    assert.equal((await change(id, json)).status, 400);
  assert.equal((await pharmacy.anonymous('/medicine?category=Sweets')).status, 400);
});
