import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pharmacyCalls } from '../contract/calls.ts';
import { order, problemOf, sharedPharmacy, countByStatus } from '../testing/test-pharmacy.ts';

const pharmacy = await sharedPharmacy();

const read = (id: string) => pharmacy.as('pharmacist')(`/medicine/${id}`);
const edit = (id: string, json: object, ifMatch?: string) =>
  pharmacy.as('admin')(`/medicine/${id}`, {
    method: 'PATCH',
    json,
    headers: ifMatch === undefined ? {} : { 'If-Match': ifMatch },
  });

async function shelved(details: Parameters<typeof pharmacy.stockMedicine>[0] = {}) {
  const { _id, medicineId } = await pharmacy.stockMedicine(details);
  const id = _id.toHexString();
  const etag = (await read(id)).headers.get('etag');
  assert.ok(etag);
  return { id, medicineId, etag };
}

async function stored(id: string) {
  return pharmacyCalls.getMedicine.response.parse(await (await read(id)).json()).medicine;
}

test('the second of two editors is rejected, and nothing is overwritten', async () => {
  const { id, etag } = await shelved({ name: 'Aspirin', pricePerUnit: 2 });
  const first = await edit(id, { pricePerUnit: 3 }, etag);
  assert.equal(first.status, 200);
  const problem = await problemOf(await edit(id, { name: 'Renamed', pricePerUnit: 4 }, etag), 412);
  assert.equal(problem.code, 'changed_meanwhile');
  const { name, pricePerUnit } = await stored(id);
  assert.deepEqual([name, pricePerUnit], ['Aspirin', { $numberDouble: '3.0' }]);
  assert.equal((await pharmacy.eventsOf(id)).length, 1);
  // The ETag of the first response is valid for the next edit.
  assert.equal((await edit(id, { name: 'Renamed' }, first.headers.get('etag') ?? '')).status, 200);
});

test('of twenty concurrent edits of the same version one wins', async () => {
  const { id, etag } = await shelved();
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) => edit(id, { pricePerUnit: 10 + index }, etag)),
  );
  assert.deepEqual(countByStatus(responses), { 200: 1, 412: 19 });
  assert.equal(
    (await stored(id)).pricePerUnit.$numberDouble,
    `${10 + responses.findIndex(({ status }) => status === 200)}.0`,
  );
});

test('a sale or a delivery doesn’t block an edit', async () => {
  const { id, medicineId, etag } = await shelved({ quantity: 20 });
  await order(pharmacy.as('patient'), 'patient@clinic.example', [{ medicineId, quantity: 5 }]);
  assert.equal((await edit(id, { restock: 10 })).status, 200);
  assert.equal((await edit(id, { name: 'New name' }, etag)).status, 200);
  const { name, quantity } = await stored(id);
  assert.deepEqual([name, quantity], ['New name', { $numberInt: '25' }]);
});

test('a delivery, an edit and a new medicine that are sent again with their key count once, with the version of the first', async () => {
  const { id, etag } = await shelved({ quantity: 20 });
  const keyed = (key: string, path: string, method: string, json: object, headers = {}) =>
    pharmacy.as('admin')(path, { method, json, headers: { 'Idempotency-Key': key, ...headers } });
  const restock = () => keyed('delivery', `/medicine/${id}`, 'PATCH', { restock: 10 });
  const answers = [...(await Promise.all([restock(), restock()])), await restock()];
  assert.deepEqual(countByStatus(answers), { 200: 3 });
  assert.deepEqual((await stored(id)).quantity, { $numberInt: '30' });
  assert.equal((await pharmacy.eventsOf(id)).length, 1);

  const rename = () => keyed('name', `/medicine/${id}`, 'PATCH', { name: 'Renamed' }, { 'If-Match': etag });
  const [first, again] = [await rename(), await rename()];
  assert.deepEqual([first.status, again.status], [200, 200]);
  assert.equal(again.headers.get('etag'), first.headers.get('etag'));
  assert.equal((await edit(id, { name: 'Renamed again' })).status, 200);
  // What somebody has made of it since isn't what the first answer showed.
  const late = await rename();
  assert.equal((await edit(id, { name: 'Back' }, late.headers.get('etag') ?? '')).status, 412);
  assert.equal((await stored(id)).name, 'Renamed again');

  const medicine = {
    name: 'Once',
    manufacturer: 'M',
    quantity: 5,
    unit: 'box',
    expiryDate: '2099-01-01',
    pricePerUnit: 1,
  };
  const add = () => keyed('new', '/medicine', 'POST', { medicine });
  const added = [...(await Promise.all([add(), add()])), await add()];
  assert.deepEqual(countByStatus(added), { 201: 3 });
  assert.equal(await pharmacy.db.collection('medicines').countDocuments({ name: 'Once' }), 1);
});

test('any ETag of a list may match, a star always does, a weak one never; without If-Match there is no check', async () => {
  const { id, etag } = await shelved();
  assert.equal((await edit(id, { name: 'A' }, `"other", ${etag}`)).status, 200);
  assert.equal((await edit(id, { name: 'B' }, '*')).status, 200);
  assert.equal((await edit(id, { name: 'C' })).status, 200);
  const now = (await read(id)).headers.get('etag');
  assert.equal((await edit(id, { name: 'D' }, `W/${now}`)).status, 412);
});

test('a single record must exist', async () => {
  assert.equal((await read('f'.repeat(24))).status, 404);
  assert.equal((await read('nonsense')).status, 400);
});
