import assert from 'node:assert/strict';
import { test } from 'node:test';
import { erasedEmail } from '@clinic/contracts/erased-person';
import { applyRetention } from '@clinic/service-kit/retention';
import { ObjectId } from 'mongodb';
import { personWith } from '@clinic/service-kit/testing';
import { pharmacyCalls } from '../contract/calls.ts';
import { maxQuantity } from '../contract/limits.ts';
import type { OrderStatus } from '../contract/transitions.ts';
import { fieldsOf, move, order, problemOf, read, sharedPharmacy, countByStatus } from '../testing/test-pharmacy.ts';
import { retention } from '../retention.ts';

const pharmacy = await sharedPharmacy();

const email = 'patient@clinic.example';

async function orderOf(quantity: number, stock = 50) {
  const { medicineId } = await pharmacy.stockMedicine({ quantity: stock });
  const { _id } = await order(pharmacy.as('patient'), email, [{ medicineId, quantity }]);
  return { medicineId, orderId: _id };
}

async function statusOf(orderId: string): Promise<string | undefined> {
  const orders = await read(pharmacy.as('admin'), 'listOrders', '/orderMedi');
  return orders.find(({ _id }) => _id === orderId)?.status;
}

test('staff take an order from pending to Shipped to Delivered', async () => {
  const { orderId, medicineId } = await orderOf(3);
  const shipped = await move(pharmacy.as('pharmacist'), orderId, 'Shipped');
  assert.equal(shipped.status, 200);
  assert.equal(pharmacyCalls.changeOrderStatus.response.parse(await shipped.json()).status, 'Shipped');
  assert.equal((await move(pharmacy.as('admin'), orderId, 'Delivered')).status, 200);
  assert.equal(await statusOf(orderId), 'Delivered');
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 47);
});

test('Delivered and Cancelled are final, for admins too', async () => {
  for (const last of ['Delivered', 'Cancelled'] as const) {
    const { orderId } = await orderOf(1);
    assert.equal((await move(pharmacy.as('admin'), orderId, last)).status, 200);
    for (const next of ['pending', 'Shipped', 'Delivered', 'Cancelled'] satisfies OrderStatus[]) {
      const problem = await problemOf(await move(pharmacy.as('admin'), orderId, next), 409);
      assert.equal(problem.code, 'transition_refused');
      assert.equal(problem.detail === `This order is ${last} already.`, next === last);
    }
    assert.equal(await statusOf(orderId), last);
  }
});

test('a customer can cancel a pending order and mark a shipped one as received, nothing else', async () => {
  const mine = pharmacy.as('patient');
  const first = await orderOf(2);
  for (const next of ['Shipped', 'Delivered'])
    assert.equal((await problemOf(await move(mine, first.orderId, next), 403)).code, 'forbidden');
  assert.equal((await move(mine, first.orderId, 'Cancelled')).status, 200);
  assert.equal((await pharmacy.stockOf(first.medicineId)).quantity, 50);

  const second = await orderOf(2);
  assert.equal((await move(pharmacy.as('pharmacist'), second.orderId, 'Shipped')).status, 200);
  assert.equal((await problemOf(await move(mine, second.orderId, 'Cancelled'), 403)).code, 'forbidden');
  assert.equal((await move(mine, second.orderId, 'Delivered')).status, 200);
  assert.equal((await pharmacy.stockOf(second.medicineId)).quantity, 48);
});

test('cancelling updates the medicine’s status', async () => {
  const { orderId, medicineId } = await orderOf(12, 12);
  assert.deepEqual(await pharmacy.stockOf(medicineId), { quantity: 0, status: 'out of stock' });
  assert.equal((await move(pharmacy.as('patient'), orderId, 'Cancelled')).status, 200);
  assert.deepEqual(await pharmacy.stockOf(medicineId), { quantity: 12, status: 'in stock' });
});

test('twenty concurrent cancellations return the stock once', async () => {
  const { orderId, medicineId } = await orderOf(7);
  const who = [pharmacy.as('patient'), pharmacy.as('pharmacist'), pharmacy.as('admin')];
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      move(who[index % who.length] ?? pharmacy.as('admin'), orderId, 'Cancelled'),
    ),
  );
  assert.deepEqual(countByStatus(responses), { 200: 1, 409: 19 });
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 50);
  const events = await pharmacy.eventsOf(orderId, { action: 'status changed' });
  assert.deepEqual(
    events.map((event) => [event.before, event.after]),
    [[{ status: 'pending' }, { status: 'Cancelled' }]],
  );
});

test('delivery races cancellation: one wins, and the stock agrees', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { orderId, medicineId } = await orderOf(5);
    const [delivered, cancelled] = await Promise.all([
      move(pharmacy.as('pharmacist'), orderId, 'Delivered'),
      move(pharmacy.as('patient'), orderId, 'Cancelled'),
    ]);
    assert.deepEqual(countByStatus([delivered, cancelled]), { 200: 1, 409: 1 });
    assert.equal(await statusOf(orderId), delivered.status === 200 ? 'Delivered' : 'Cancelled');
    assert.equal((await pharmacy.stockOf(medicineId)).quantity, delivered.status === 200 ? 45 : 50);
  }
});

test('shipping and a customer’s concurrent cancellation never both succeed', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { orderId, medicineId } = await orderOf(5);
    const [shipped, cancelled] = await Promise.all([
      move(pharmacy.as('pharmacist'), orderId, 'Shipped'),
      move(pharmacy.as('patient'), orderId, 'Cancelled'),
    ]);
    // The second one meets another status: Cancelled is final (409), and a customer can't cancel a Shipped order (403).
    assert.deepEqual([shipped.status, cancelled.status], shipped.status === 200 ? [200, 403] : [409, 200]);
    assert.equal(await statusOf(orderId), shipped.status === 200 ? 'Shipped' : 'Cancelled');
    assert.equal((await pharmacy.stockOf(medicineId)).quantity, shipped.status === 200 ? 45 : 50);
  }
});

test('a malformed id is 400, an unknown one 404, an unknown status 400', async () => {
  const { orderId } = await orderOf(1);
  assert.equal((await problemOf(await move(pharmacy.as('admin'), 'nonsense', 'Shipped'), 400)).code, 'bad_id');
  assert.equal((await problemOf(await move(pharmacy.as('admin'), 'f'.repeat(24), 'Shipped'), 404)).code, 'not_found');
  assert.deepEqual(await fieldsOf(await move(pharmacy.as('admin'), orderId, 'shipped')), ['newStatus']);
});

test('an order whose units no longer fit into the stock can still be cancelled, and the surplus is recorded', async () => {
  const { orderId, medicineId } = await orderOf(7);
  const full = await pharmacy.collections.medicines.findOneAndUpdate(
    { medicineId },
    { $set: { quantity: maxQuantity - 3 } },
  );
  assert.equal((await move(pharmacy.as('patient'), orderId, 'Cancelled')).status, 200);
  assert.equal(await statusOf(orderId), 'Cancelled');
  assert.deepEqual(await pharmacy.stockOf(medicineId), { quantity: maxQuantity, status: 'in stock' });
  const [, returned] = await pharmacy.eventsOf(full?._id.toHexString() ?? '');
  assert.deepEqual(
    [returned?.action, returned?.before, returned?.after],
    [
      'order cancelled',
      { quantity: maxQuantity - 3, status: 'in stock' },
      { quantity: maxQuantity, status: 'in stock', orderId, surplus: 4 },
    ],
  );
  const [, cancelled] = await pharmacy.eventsOf(orderId);
  assert.deepEqual(cancelled?.after, { status: 'Cancelled', unreturned: [{ medicineId, quantity: 4 }] });
  const shown = await read(pharmacy.as('patient'), 'getOrderHistory', `/orderMedi/${orderId}/history`);
  assert.deepEqual(shown[0]?.after, { status: 'Cancelled', unreturned: [{ medicineId, quantity: 4 }] });
});

test('concurrent cancellations of orders for a medicine at maximum stock all succeed', async () => {
  const { medicineId } = await pharmacy.stockMedicine({ quantity: 50 });
  const customer = (number: number) => `full${number}@mail.example`;
  const orders = [];
  for (let number = 0; number < 6; number += 1)
    orders.push(
      await order(pharmacy.as({ role: 'patient', email: customer(number) }), customer(number), [
        { medicineId, quantity: 5 },
      ]),
    );
  await pharmacy.collections.medicines.updateOne({ medicineId }, { $set: { quantity: maxQuantity - 12 } });
  const responses = await Promise.all(orders.map(({ _id }) => move(pharmacy.as('admin'), _id, 'Cancelled')));
  assert.deepEqual(countByStatus(responses), { 200: 6 });
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, maxQuantity);
  const events = await pharmacy.db
    .collection('events')
    .find({ action: 'order cancelled', 'after.orderId': { $in: orders.map(({ _id }) => _id) } })
    .toArray();
  assert.equal(
    events.reduce((sum, { after }) => sum + Number(after.surplus ?? 0), 0),
    6 * 5 - 12,
  );
});

test('an order for a deleted medicine can still be cancelled', async () => {
  const { orderId, medicineId } = await orderOf(2);
  await pharmacy.collections.medicines.deleteOne({ medicineId });
  assert.equal((await move(pharmacy.as('patient'), orderId, 'Cancelled')).status, 200);
  const [, cancelled] = await pharmacy.eventsOf(orderId);
  assert.deepEqual(cancelled?.after, { status: 'Cancelled', unreturned: [{ medicineId, quantity: 2 }] });
});

test('erases a person whose pending order no longer fits into the stock', async () => {
  const email = 'leaving@mail.example';
  const { medicineId } = await pharmacy.stockMedicine({ quantity: 50 });
  const { _id } = await order(pharmacy.as({ role: 'patient', email }), email, [{ medicineId, quantity: 3 }]);
  await pharmacy.collections.medicines.updateOne({ medicineId }, { $set: { quantity: maxQuantity } });
  const { cancelled } = await pharmacy.erase(personWith(pharmacy.issuer.idOf(email), email));
  assert.deepEqual([cancelled, await statusOf(_id)], [1, 'Cancelled']);
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, maxQuantity);
});

test('an order on its way keeps what its delivery needs until it has arrived, and then loses it by itself', async () => {
  const email = 'shipped@mail.example';
  const { medicineId } = await pharmacy.stockMedicine({ quantity: 50 });
  const place = () => order(pharmacy.as({ role: 'patient', email }), email, [{ medicineId, quantity: 3 }]);
  const [arriving, lost] = [await place(), await place()];
  const admin = pharmacy.as('admin');
  const move = (_id: string, newStatus: string) => admin(`/orderMedi/${_id}`, { method: 'PATCH', json: { newStatus } });
  for (const { _id } of [arriving, lost]) assert.equal((await move(_id, 'Shipped')).status, 200);
  const id = pharmacy.issuer.idOf(email);
  await pharmacy.erase(personWith(id, email));
  const detailsOf = async (_id: string) => {
    const found = await pharmacy.collections.orders.findOne({ _id: new ObjectId(_id) });
    return [found?.status, found?.customerEmail, found?.customerId, found?.deliveryAddress, found?.customerPhone];
  };
  const { deliveryAddress, customerPhone } = arriving;
  const onTheWay = ['Shipped', erasedEmail(id), undefined, deliveryAddress, customerPhone];
  assert.deepEqual([await detailsOf(arriving._id), await detailsOf(lost._id)], [onTheWay, onTheWay]);
  assert.equal((await move(arriving._id, 'Delivered')).status, 200);
  assert.deepEqual(await detailsOf(arriving._id), ['Delivered', erasedEmail(id), undefined, '', '']);
  await applyRetention(pharmacy.context, retention(pharmacy.context), new Date(Date.now() + 29 * 86_400_000));
  assert.deepEqual(await detailsOf(lost._id), onTheWay);
  await applyRetention(pharmacy.context, retention(pharmacy.context), new Date(Date.now() + 31 * 86_400_000));
  assert.deepEqual(await detailsOf(lost._id), ['Shipped', erasedEmail(id), undefined, '', '']);
});

test('a status that was chosen for another one on screen is answered 409, says what it is now, and changes nothing', async () => {
  const { orderId } = await orderOf(2);
  assert.equal((await move(pharmacy.as('pharmacist'), orderId, 'Shipped')).status, 200);
  const seenPending = (newStatus: OrderStatus) =>
    pharmacy.as('admin')(`/orderMedi/${orderId}`, {
      method: 'PATCH',
      json: { newStatus, seen: { status: 'pending' } },
    });
  const answer = await seenPending('Delivered');
  assert.equal(answer.status, 409);
  assert.match(await answer.text(), /from pending to Shipped/);
  assert.equal(await statusOf(orderId), 'Shipped');
});
