import assert from 'node:assert/strict';
import { test } from 'node:test';
import { internalHeaders, internalSecret } from '@clinic/service-kit';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { orderStatuses } from '../contract/transitions.ts';
import { move, order, sharedPharmacy, storedOrder } from '../testing/test-pharmacy.ts';

const pharmacy = await sharedPharmacy();
const headers = internalHeaders(internalSecret(pharmacy.context.settings));
const asked = <Answer>(path: string, json: object) =>
  readJson<Answer>(pharmacy.anonymous(`/internal${path}`, { method: 'POST', json, headers }), 200);

test('svc-messages learns what has become of orders; of others nothing', async () => {
  const orders = orderStatuses.map((status) => storedOrder({ status }));
  await pharmacy.collections.orders.insertMany(orders);
  const ids = orders.map(({ _id }) => _id.toHexString());
  const found = await asked<{ id: string; status: string }[]>('/orders', { ids: [...ids, '0'.repeat(24), 'theirs'] });
  assert.deepEqual(
    found.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id)),
    orderStatuses.map((status, at) => ({ id: ids[at], status })),
  );
  const path = '/internal/orders';
  assert.equal((await pharmacy.anonymous(path, { method: 'POST', json: { ids } })).status, 401);
  assert.equal((await pharmacy.anonymous(path, { method: 'POST', json: {}, headers })).status, 400);
});

test('who asked for a medicine is told while it is there, or goes on waiting, whatever happens at once', async () => {
  const { _id, medicineId } = await pharmacy.stockMedicine({ quantity: 1 });
  const medicine = _id.toHexString();
  const [account, email] = [pharmacy.issuer.idOf('ann@mail.example'), 'ann@mail.example'];
  const isBack = async () => (await asked<{ isBack: boolean }>('/back-in-stock', { medicine, account, email })).isBack;
  const waiting = () => pharmacy.collections.stockRequests.countDocuments({ medicine: _id, accountId: account });
  const told = () => pharmacy.db.collection('outbox').countDocuments({ 'data.medicine.id': medicine });
  const buyer = pharmacy.as({ email: 'ben@mail.example', role: 'patient' });
  assert.deepEqual([await isBack(), await waiting()], [true, 0]);
  for (let round = 0; round < 6; round += 1) {
    const [, before] = await Promise.all([order(buyer, 'ben@mail.example', [{ medicineId, quantity: 1 }]), isBack()]);
    assert.equal(await waiting(), before ? 0 : 1);
    // Asked again after a lost answer.
    assert.deepEqual([await isBack(), await isBack(), await waiting()], [false, false, 1]);
    const mails = await told();
    const [bought] = await pharmacy.collections.orders
      .find({ status: 'pending', 'items.medicineId': medicineId })
      .toArray();
    await Promise.all([move(buyer, bought?._id.toHexString() ?? '', 'Cancelled'), isBack()]);
    assert.deepEqual([await isBack(), await waiting(), await told()], [true, 0, mails + 1]);
  }
});
