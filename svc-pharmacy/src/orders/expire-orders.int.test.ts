import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pharmacyCalls } from '../contract/calls.ts';
import { newId, type HistoryEvent } from '@clinic/service-kit';
import { untilServed, waitUntil } from '@clinic/service-kit/testing/wait-until';
import { keepOrderRollups } from '../reports/keep-order-rollups.ts';
import { sharedBackends } from '../testing/service-process.ts';
import { move, order, read, sharedPharmacy, storedLine, storedOrder, shelf } from '../testing/test-pharmacy.ts';
import { expireOrders, heldUntil } from './expire-orders.ts';
import type { OrderRecord } from './order-record.ts';

const hours = 48;
const pharmacy = await sharedPharmacy({ PHARMACY_PENDING_ORDER_HOURS: String(hours) });

let people = 0;
async function placed(quantity: number, stock = 50) {
  people += 1;
  const email = `waiting${people}@mail.example`;
  const as = pharmacy.as({ role: 'patient', email });
  const { medicineId } = await pharmacy.stockMedicine({ quantity: stock });
  const answer = await order(as, email, [{ medicineId, quantity }]);
  return { email, as, medicineId, id: answer._id, answer };
}
const orderNow = async (id: string): Promise<OrderRecord> =>
  (await pharmacy.collections.orders.findOne({ number: id.slice(-6).toUpperCase() })) ?? assert.fail();
const later = (by: number) => new Date(Date.now() + by * 3_600_000);

test('a pending order shows until when it is held; then it is cancelled once, and its stock returned', async () => {
  const { id, as, email, medicineId, answer } = await placed(12, 12);
  assert.equal(answer.heldUntil, heldUntil(new Date(answer.orderDate), hours).toISOString());
  assert.equal(await expireOrders(pharmacy.context, later(hours - 1)), 0);
  assert.equal((await orderNow(id)).status, 'pending');

  assert.ok((await expireOrders(pharmacy.context, later(hours + 1))) >= 1);
  assert.deepEqual(await pharmacy.stockOf(medicineId), { quantity: 12, status: 'in stock' });
  assert.equal(await expireOrders(pharmacy.context, later(hours + 1)), 0);
  assert.deepEqual(await pharmacy.stockOf(medicineId), { quantity: 12, status: 'in stock' });
  const [own] = await read(as, 'listOrders', `/orderMedi?email=${email}`);
  assert.deepEqual([own?.status, own?.heldUntil], ['Cancelled', undefined]);
  const shown = await read(as, 'getOrderHistory', `/orderMedi/${id}/history`);
  assert.deepEqual(
    shown.map(({ action, actor, before: was, after: is }) => [action, actor, was, is]),
    [
      ['expired', undefined, { status: 'pending' }, { status: 'Cancelled' }],
      ['placed', { role: 'patient', email }, null, { status: 'pending' }],
    ],
  );
  const [event] = await pharmacy.eventsOf(id, { action: 'expired' });
  assert.deepEqual([event?.call, event?.accounts, event?.concerns], ['expiry', [pharmacy.issuer.idOf(email)], [email]]);
  assert.equal(await keepOrderRollups(pharmacy.context), 0, 'the report is in step');
});

test('a shipped order isn’t held and doesn’t expire', async () => {
  const { id, medicineId } = await placed(5);
  const shipped = await move(pharmacy.as('pharmacist'), id, 'Shipped');
  assert.equal(pharmacyCalls.changeOrderStatus.response.parse(await shipped.json()).heldUntil, undefined);
  await expireOrders(pharmacy.context, later(hours + 1));
  assert.equal((await orderNow(id)).status, 'Shipped');
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 45);
});

test('an order of an earlier release gets the full time from the upgrade', async () => {
  const { id } = await placed(1);
  const { _id } = await orderNow(id);
  await pharmacy.collections.orders.updateOne(
    { _id },
    { $set: { orderDate: later(-1_000) }, $unset: { heldUntil: '' } },
  );
  assert.equal(await expireOrders(pharmacy.context), 0);
  const { status, heldUntil: until } = await orderNow(id);
  assert.equal(status, 'pending');
  assert.ok(until && until > later(hours - 0.1) && until < later(hours + 0.1));
});

test('a long backlog of an earlier release gets its expiry time in several commands, and loses it when expiry is switched off', async () => {
  const { id } = await placed(1);
  const { _id: _, heldUntil: __, ...record } = await orderNow(id);
  const backlog = Array.from({ length: 520 }, () => ({ ...record, _id: newId() }));
  await pharmacy.collections.orders.insertMany(backlog);
  const mine = { _id: { $in: backlog.map(({ _id }) => _id) } };
  const held = () => pharmacy.collections.orders.countDocuments({ ...mine, heldUntil: { $exists: true } });
  await expireOrders(pharmacy.context);
  assert.equal(await held(), 520);
  const off = { ...pharmacy.context, settings: { ...pharmacy.context.settings, PHARMACY_PENDING_ORDER_HOURS: 0 } };
  assert.equal(await expireOrders(off, later(10_000)), 0);
  assert.equal(await held(), 0);
  assert.equal((await orderNow(id)).status, 'pending');
  await pharmacy.collections.orders.deleteMany(mine);
});

test('expiry races shipping and cancelling: one of them wins each order, and the stock agrees', async () => {
  const orders = await Promise.all(Array.from({ length: 12 }, () => placed(7)));
  const due = later(hours + 1);
  const [moves] = await Promise.all([
    Promise.all(
      orders.map(({ id, as }, index) =>
        index % 2 === 0 ? move(pharmacy.as('pharmacist'), id, 'Shipped') : move(as, id, 'Cancelled'),
      ),
    ),
    expireOrders(pharmacy.context, due),
    expireOrders(pharmacy.context, due),
    expireOrders(pharmacy.context, due),
  ]);
  for (const [index, { id, medicineId }] of orders.entries()) {
    const accepted = moves[index]?.status === 200;
    const { status } = await orderNow(id);
    assert.equal(status, accepted && index % 2 === 0 ? 'Shipped' : 'Cancelled');
    assert.equal((await pharmacy.stockOf(medicineId)).quantity, status === 'Shipped' ? 43 : 50);
    const changes = await pharmacy.eventsOf(id, { action: { $ne: 'placed' } });
    assert.deepEqual(
      changes.map(({ action }) => action),
      [accepted ? 'status changed' : 'expired'],
    );
  }
});

test(
  'three processes starting on a backlog return its stock once, while staff ship some of it',
  { timeout: 120_000 },
  async () => {
    const { db, collections, startService } = await sharedBackends();
    const { medicineId } = await shelf(collections).stockMedicine({ quantity: 1_000 });
    const items = [storedLine({ medicineId, quantity: 3 })];
    const backlog = Array.from({ length: 36 }, (_, index) =>
      storedOrder({
        items,
        orderDate: later(-100),
        customerEmail: `late${index}@mail.example`,
        heldUntil: later(-28),
      }),
    );
    await collections.orders.insertMany(backlog);
    const services = await Promise.all([startService(), startService(), startService()]);
    const staff = services.map((service) => service.as({ role: 'pharmacist', email: 'pharmacist@clinic.example' }));
    const orders = backlog.slice(-12);
    const answers = await Promise.all(
      orders.map(({ _id }, index) =>
        untilServed(() => move(staff[index % 3] ?? assert.fail(), _id.toHexString(), 'Shipped')),
      ),
    );
    await waitUntil(async () => (await collections.orders.countDocuments({ status: 'pending' })) === 0);
    for (const [index, { _id }] of orders.entries()) {
      const status = answers[index]?.status;
      assert.ok(status === 200 || status === 409, `${status}`);
      // On a busy machine a change can have succeeded whose caller was told to look whether it did.
      if (status === 200) assert.equal((await collections.orders.findOne({ _id }))?.status, 'Shipped');
    }
    const shipped = await collections.orders.countDocuments({ status: 'Shipped' });
    assert.equal(await collections.orders.countDocuments({ status: 'Cancelled' }), 36 - shipped);
    assert.equal((await shelf(collections).stockOf(medicineId)).quantity, 1_000 + 3 * (36 - shipped));
    const events = db.collection<HistoryEvent>('events');
    assert.deepEqual(
      [await events.countDocuments({ action: 'expired' }), await events.countDocuments({ action: 'order cancelled' })],
      [36 - shipped, 36 - shipped],
    );
  },
);
