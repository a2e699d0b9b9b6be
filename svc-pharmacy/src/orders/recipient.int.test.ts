import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Order } from '../contract/order-schemas.ts';
import { order, orderBody, read, sharedPharmacy } from '../testing/test-pharmacy.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';

const pharmacy = await sharedPharmacy();
const { medicineId } = await pharmacy.stockMedicine({ quantity: 500 });

const place = async (email: string, more: object): Promise<Order> => {
  const json = { ...orderBody(email, [{ medicineId, quantity: 1 }]), ...more };
  return readJson<Order>(pharmacy.as({ role: 'patient', email })('/orderMedi', { method: 'POST', json }), 201);
};
const found = async (q: string): Promise<string[]> =>
  (await read(pharmacy.as('pharmacist'), 'listOrders', `/orderMedi?q=${encodeURIComponent(q)}`)).map(({ _id }) => _id);

test('an order says who gets it: the name it gives, or else the name of the account', async () => {
  const email = 'nadia@mail.example';
  const { recipientName } = await place(email, { recipientName: '  Rahim Uddin ' });
  assert.equal(recipientName, 'Rahim Uddin');
  const id = pharmacy.issuer.idOf(email);
  pharmacy.issuer.setStanding(id, { active: true, role: 'patient', name: 'Nadia Rahman' });
  for (const more of [{}, { recipientName: '' }])
    assert.equal((await place(email, more)).recipientName, 'Nadia Rahman');
  const sent = await pharmacy.db.collection('outbox').find({ kind: 'order-placed' }).toArray();
  assert.deepEqual(
    sent.map((entry) => entry['data'].order.recipient as string),
    ['Rahim Uddin', 'Nadia Rahman', 'Nadia Rahman'],
  );
});

test('an order of an account whose name nobody knows is accepted, and names nobody', async () => {
  const email = 'nameless@mail.example';
  assert.equal((await place(email, {})).recipientName, undefined);
});

test('staff find an order by the beginning of any word of the recipient’s name', async () => {
  const { _id } = await place('finder@mail.example', { recipientName: 'Shirin Akhter Banu' });
  for (const q of ['shirin', 'AKH', 'akhter b', 'Banu']) assert.deepEqual(await found(q), [_id], q);
  for (const q of ['khter', 'shirin banu', 'finder@banu']) assert.deepEqual(await found(q), [], q);
  assert.deepEqual(await found('finder'), [_id]);
});

test('a repeated request with another recipient is another request', async () => {
  const email = 'twice@mail.example';
  const as = pharmacy.as({ role: 'patient', email });
  const send = (recipientName: string) =>
    as('/orderMedi', {
      method: 'POST',
      headers: { 'Idempotency-Key': 'same' },
      json: { ...orderBody(email, [{ medicineId, quantity: 1 }]), recipientName },
    });
  assert.equal((await send('Ann')).status, 201);
  assert.equal((await send('Ann')).status, 201);
  assert.equal((await send('Ben')).status, 422);
  assert.equal(await pharmacy.collections.orders.countDocuments({ customerEmail: email }), 1);
});

test('an order of an earlier release shows what is known', async () => {
  const email = 'earlier@mail.example';
  const { _id } = await order(pharmacy.as({ role: 'patient', email }), email, [{ medicineId, quantity: 1 }]);
  const [row] = await read(pharmacy.as('pharmacist'), 'listOrders', `/orderMedi?email=${email}`);
  assert.deepEqual([row?._id, row?.recipientName, row?.customeremail], [_id, undefined, email]);
});
