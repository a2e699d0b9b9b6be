import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outboxOf } from '@clinic/service-kit';
import type { TestFetch } from '@clinic/service-kit/testing';
import { maxStockRequests } from '../contract/limits.ts';
import { move, order, problemOf, read, sharedPharmacy } from '../testing/test-pharmacy.ts';

const pharmacy = await sharedPharmacy();
const staff = pharmacy.as('pharmacist');

const patient = (name: string) => pharmacy.as({ email: `${name}@mail.example`, role: 'patient' });
const soldOut = () => pharmacy.stockMedicine({ quantity: 0 });
const ask = (as: TestFetch, id: string) => as(`/medicine/${id}/back-in-stock`, { method: 'POST' });
const restock = async (id: string, change: object = { restock: 5 }): Promise<void> => {
  const answer = await staff(`/medicine/${id}`, { method: 'PATCH', json: change });
  assert.equal(answer.status, 200, await answer.text());
};
/** Addresses that were sent a message about a medicine, sorted. */
const notified = async (id: string): Promise<string[]> => {
  const entries = await outboxOf(pharmacy).find({ kind: 'back-in-stock', 'data.medicine.id': id }).toArray();
  return entries.map(({ to }) => to.email ?? '').toSorted((one, other) => one.localeCompare(other));
};
const listed = (as: TestFetch) => read(as, 'listStockRequests', '/medicine/back-in-stock');

test('everybody who asked gets one message at the next delivery, and must ask again for another', async () => {
  const medicine = await soldOut();
  const id = medicine._id.toHexString();
  const [ann, ben] = [patient('ann'), patient('ben')];
  for (const who of [ann, ann, ben]) assert.equal((await ask(who, id)).status, 201);
  assert.deepEqual(
    (await listed(ann)).map((request) => request.medicine),
    [id],
  );
  await restock(id);
  assert.deepEqual(await notified(id), ['ann@mail.example', 'ben@mail.example']);
  const [entry] = await outboxOf(pharmacy).find({ 'data.medicine.id': id }).toArray();
  assert.deepEqual(entry?.data, { medicine: { id, name: medicine.name } });
  assert.deepEqual(await listed(ann), []);
  // A further delivery sends nothing.
  await restock(id);
  assert.equal((await notified(id)).length, 2);
  assert.equal((await problemOf(await ask(ann, id), 409)).code, 'transition_refused');
});

test('somebody who withdraws the request gets no message, and others keep theirs', async () => {
  const id = (await soldOut())._id.toHexString();
  for (const name of ['ann', 'ben']) assert.equal((await ask(patient(name), id)).status, 201);
  for (let time = 0; time < 2; time += 1)
    assert.equal((await patient('ann')(`/medicine/${id}/back-in-stock`, { method: 'DELETE' })).status, 204);
  await restock(id);
  assert.deepEqual(await notified(id), ['ben@mail.example']);
});

test('a cancelled order puts a medicine back in stock, a delivery of expired units doesn’t', async () => {
  const medicine = await pharmacy.stockMedicine({ quantity: 3 });
  const id = medicine._id.toHexString();
  const { _id: orderId } = await order(patient('carl'), 'carl@mail.example', [
    { medicineId: medicine.medicineId, quantity: 3 },
  ]);
  assert.equal((await ask(patient('ann'), id)).status, 201);
  assert.equal((await move(patient('carl'), orderId, 'Cancelled')).status, 200);
  assert.deepEqual(await notified(id), ['ann@mail.example']);

  const old = (await pharmacy.stockMedicine({ quantity: 0, expiryDate: '2000-01-01' }))._id.toHexString();
  assert.equal((await ask(patient('ann'), old)).status, 201);
  await restock(old);
  assert.deepEqual(await notified(old), []);
  await restock(old, { restock: 1, expiryDate: '2999-01-01' });
  assert.deepEqual(await notified(old), ['ann@mail.example']);
});

test('when patients ask during a delivery, each gets a message or learns that the medicine is in stock', async () => {
  for (let round = 0; round < 8; round += 1) {
    const id = (await soldOut())._id.toHexString();
    const names = ['ann', 'ben', 'carl', 'dora'];
    const [answers] = await Promise.all([Promise.all(names.map((name) => ask(patient(name), id))), restock(id)]);
    const asked = names.filter((_, index) => answers[index]?.status === 201).map((name) => `${name}@mail.example`);
    assert.deepEqual(
      answers.filter(({ status }) => status !== 201 && status !== 409),
      [],
    );
    assert.deepEqual(await notified(id), asked);
  }
  assert.equal(
    await pharmacy.collections.stockRequests.countDocuments(),
    0,
    'nobody waits for a medicine that is there',
  );
});

test('two concurrent requests for a medicine are one, and a patient’s requests are limited', async () => {
  const dora = patient('dora');
  const first = (await soldOut())._id.toHexString();
  const answers = await Promise.all([1, 2, 3, 4].map(() => ask(dora, first)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201, 201],
  );
  const ids = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { readonly _id: string })._id));
  assert.equal(new Set(ids).size, 1);
  const more = await Promise.all(Array.from({ length: maxStockRequests + 2 }, () => soldOut()));
  const statuses = await Promise.all(more.map(async ({ _id }) => (await ask(dora, _id.toHexString())).status));
  assert.equal(statuses.filter((status) => status === 201).length, maxStockRequests - 1);
  assert.equal((await listed(dora)).length, maxStockRequests);
  assert.equal((await dora('/medicine/000000000000000000000000/back-in-stock', { method: 'POST' })).status, 404);
  assert.equal((await pharmacy.anonymous(`/medicine/${first}/back-in-stock`, { method: 'POST' })).status, 401);
});

test('an order that is placed, shipped or cancelled sends its customer a message, in the same transaction', async () => {
  const medicine = await pharmacy.stockMedicine({ pricePerUnit: 2.5 });
  const eve = patient('eve');
  const items = [{ medicineId: medicine.medicineId, quantity: 2 }];
  const shipped = await order(eve, 'eve@mail.example', items);
  const cancelled = await order(eve, 'eve@mail.example', items);
  assert.equal((await move(staff, shipped._id, 'Shipped')).status, 200);
  assert.equal((await move(staff, shipped._id, 'Delivered')).status, 200);
  // Of two concurrent requests, one cancels.
  await Promise.all([1, 2].map(() => move(eve, cancelled._id, 'Cancelled')));
  const messagesAbout = async (id: string) =>
    (await outboxOf(pharmacy).find({ 'data.order.id': id }).sort({ _id: 1 }).toArray()).map(({ kind }) => kind);
  assert.deepEqual(await messagesAbout(shipped._id), ['order-placed', 'order-shipped']);
  assert.deepEqual(await messagesAbout(cancelled._id), ['order-placed', 'order-cancelled']);
  const [entry] = await outboxOf(pharmacy).find({ 'data.order.id': shipped._id }).toArray();
  assert.deepEqual(entry?.to, { account: pharmacy.issuer.idOf('eve@mail.example'), email: 'eve@mail.example' });
  assert.deepEqual(entry?.data, {
    order: {
      id: shipped._id,
      number: shipped._id.slice(-6).toUpperCase(),
      lines: [{ name: medicine.name, quantity: 2 }],
      total: 5,
      currency: '৳',
    },
  });
});
