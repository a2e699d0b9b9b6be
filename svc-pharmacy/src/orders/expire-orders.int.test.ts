import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { maxQuantity } from '@clinic/contracts';
import { calls } from '@clinic/contracts/calls';
import { cookieNames, newId, type HistoryEvent } from '@clinic/service-kit';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { MongoClient } from 'mongodb';
import { startTestDatabase, startTestIssuer, testFetch } from '@clinic/service-kit/testing';
import { keepOrderRollups } from '../reports/keep-order-rollups.ts';
import { collectionsOf } from '../collections.ts';
import { startServiceProcess } from '../testing/service-process.ts';
import {
  move,
  order,
  stockMedicine,
  startPharmacy,
  stockOf,
  countByStatus,
  type TestPharmacy,
} from '../testing/test-pharmacy.ts';
import { expireOrders, heldUntil } from './expire-orders.ts';
import { orderNumberOf, type OrderRecord } from './order-record.ts';

const hours = 48;
let pharmacy: TestPharmacy;
before(async () => {
  pharmacy = await startPharmacy({ PHARMACY_PENDING_ORDER_HOURS: String(hours) });
});
after(() => pharmacy.close());

let people = 0;
async function placed(quantity: number, stock = 50) {
  people += 1;
  const email = `waiting${people}@mail.example`;
  const as = pharmacy.as({ role: 'patient', email });
  const { medicineId } = await stockMedicine(pharmacy, { quantity: stock });
  const answer = await order(as, email, [{ medicineId, quantity }]);
  return { email, as, medicineId, id: answer._id, answer };
}
const storedOrder = async (id: string): Promise<OrderRecord> =>
  (await pharmacy.collections.orders.findOne({ number: id.slice(-6).toUpperCase() })) ?? assert.fail();
const later = (by: number) => new Date(Date.now() + by * 3_600_000);

test('a pending order shows until when it is held; then it is cancelled once, and its stock returned', async () => {
  const { id, as, email, medicineId, answer } = await placed(12, 12);
  assert.equal(answer.heldUntil, heldUntil(new Date(answer.orderDate), hours).toISOString());
  assert.equal(await expireOrders(pharmacy.context, later(hours - 1)), 0);
  assert.equal((await storedOrder(id)).status, 'pending');

  assert.ok((await expireOrders(pharmacy.context, later(hours + 1))) >= 1);
  assert.deepEqual(await stockOf(pharmacy, medicineId), { quantity: 12, status: 'in stock' });
  assert.equal(await expireOrders(pharmacy.context, later(hours + 1)), 0);
  assert.deepEqual(await stockOf(pharmacy, medicineId), { quantity: 12, status: 'in stock' });
  const [own] = calls.listOrders.response.parse(await (await as(`/orderMedi?email=${email}`)).json());
  assert.deepEqual([own?.status, own?.heldUntil], ['Cancelled', undefined]);
  const shown = calls.getOrderHistory.response.parse(await (await as(`/orderMedi/${id}/history`)).json());
  assert.deepEqual(
    shown.map(({ action, actor, before: was, after: is }) => [action, actor, was, is]),
    [
      ['expired', undefined, { status: 'pending' }, { status: 'Cancelled' }],
      ['placed', { role: 'patient', email }, null, { status: 'pending' }],
    ],
  );
  const [event] = await pharmacy.db
    .collection<HistoryEvent>('events')
    .find({ 'record.id': id, action: 'expired' })
    .toArray();
  assert.deepEqual([event?.call, event?.accounts, event?.concerns], ['expiry', [pharmacy.issuer.idOf(email)], [email]]);
  assert.equal(await keepOrderRollups(pharmacy.context), 0, 'the report is in step');
});

test('a shipped order isn’t held and doesn’t expire', async () => {
  const { id, medicineId } = await placed(5);
  const shipped = await move(pharmacy.as('pharmacist'), id, 'Shipped');
  assert.equal(calls.changeOrderStatus.response.parse(await shipped.json()).heldUntil, undefined);
  await expireOrders(pharmacy.context, later(hours + 1));
  assert.equal((await storedOrder(id)).status, 'Shipped');
  assert.equal((await stockOf(pharmacy, medicineId)).quantity, 45);
});

test('an order of an earlier release gets the full time from the upgrade', async () => {
  const { id } = await placed(1);
  const { _id } = await storedOrder(id);
  await pharmacy.collections.orders.updateOne(
    { _id },
    { $set: { orderDate: later(-1_000) }, $unset: { heldUntil: '' } },
  );
  assert.equal(await expireOrders(pharmacy.context), 0);
  const { status, heldUntil: until } = await storedOrder(id);
  assert.equal(status, 'pending');
  assert.ok(until && until > later(hours - 0.1) && until < later(hours + 0.1));
});

test('a long backlog of an earlier release gets its expiry time in several commands, and loses it when expiry is switched off', async () => {
  const { id } = await placed(1);
  const { _id: _, heldUntil: __, ...record } = await storedOrder(id);
  const backlog = Array.from({ length: 520 }, () => ({ ...record, _id: newId() }));
  await pharmacy.collections.orders.insertMany(backlog);
  const mine = { _id: { $in: backlog.map(({ _id }) => _id) } };
  const held = () => pharmacy.collections.orders.countDocuments({ ...mine, heldUntil: { $exists: true } });
  await expireOrders(pharmacy.context);
  assert.equal(await held(), 520);
  await expireOrders({
    ...pharmacy.context,
    settings: { ...pharmacy.context.settings, PHARMACY_PENDING_ORDER_HOURS: 0 },
  });
  assert.equal(await held(), 0);
  await pharmacy.collections.orders.deleteMany(mine);
});

test('an order whose stock no longer fits expires too', async () => {
  const { id, medicineId } = await placed(5);
  await pharmacy.collections.medicines.updateOne({ medicineId }, { $set: { quantity: maxQuantity } });
  await expireOrders(pharmacy.context, later(hours + 1));
  assert.equal((await storedOrder(id)).status, 'Cancelled');
  const [event] = await pharmacy.db
    .collection<HistoryEvent>('events')
    .find({ 'record.id': id, action: 'expired' })
    .toArray();
  assert.deepEqual(event?.after, { status: 'Cancelled', unreturned: [{ medicineId, quantity: 5 }] });
});

test('with expiry off, nothing expires and no order has an expiry time', async () => {
  const { id } = await placed(1);
  const off = { ...pharmacy.context, settings: { ...pharmacy.context.settings, PHARMACY_PENDING_ORDER_HOURS: 0 } };
  assert.equal(await expireOrders(off, later(10_000)), 0);
  const { status, heldUntil: until } = await storedOrder(id);
  assert.deepEqual([status, until], ['pending', undefined]);
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
    const { status } = await storedOrder(id);
    assert.equal(status, accepted && index % 2 === 0 ? 'Shipped' : 'Cancelled');
    assert.equal((await stockOf(pharmacy, medicineId)).quantity, status === 'Shipped' ? 43 : 50);
    const changes = await pharmacy.db
      .collection<HistoryEvent>('events')
      .find({ 'record.id': id, action: { $ne: 'placed' } })
      .toArray();
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
    const database = await startTestDatabase();
    const issuer = await startTestIssuer();
    const client = await new MongoClient(database.uri).connect();
    const db = client.db(database.newName('pharmacy'));
    const collections = collectionsOf(db);
    const { medicineId, name, manufacturer, unit, priceMinor, expiryDate } = await stockMedicine(
      { collections },
      { quantity: 1_000 },
    );
    const backlog = Array.from({ length: 36 }, (_, index): OrderRecord => {
      const _id = newId();
      return {
        _id,
        number: orderNumberOf(_id),
        items: [{ medicineId, name, manufacturer, unit, priceMinor, expiryDate, quantity: 3 }],
        orderDate: later(-100),
        status: 'pending',
        deliveryAddress: 'House 1',
        customerEmail: `late${index}@mail.example`,
        customerPhone: '+880 1555 010400',
        heldUntil: later(-28),
      };
    });
    await collections.orders.insertMany(backlog);
    const env = { MONGODB_URI: database.uri, MONGODB_DATABASE: db.databaseName, IDENTITY_URL: issuer.url };
    const services = await Promise.all(Array.from({ length: 3 }, () => startServiceProcess(env)));
    try {
      const staff = {
        Cookie: `${cookieNames.access}=${await issuer.token({ role: 'pharmacist', email: 'pharmacist@clinic.example' })}`,
      };
      const shipping = await Promise.all(
        backlog
          .slice(-12)
          .map(({ _id }, index) =>
            move(testFetch(services[index % 3]?.url ?? '', staff), _id.toHexString(), 'Shipped'),
          ),
      );
      const { 200: shipped = 0, 409: late = 0, ...otherwise } = countByStatus(shipping);
      assert.deepEqual([otherwise, shipped + late], [{}, 12]);
      await waitUntil(async () => (await collections.orders.countDocuments({ status: 'pending' })) === 0);
      assert.equal(await collections.orders.countDocuments({ status: 'Shipped' }), shipped);
      assert.equal(await collections.orders.countDocuments({ status: 'Cancelled' }), 36 - shipped);
      assert.equal((await stockOf({ collections }, medicineId)).quantity, 1_000 + 3 * (36 - shipped));
      const events = db.collection<HistoryEvent>('events');
      assert.deepEqual(
        [
          await events.countDocuments({ action: 'expired' }),
          await events.countDocuments({ action: 'order cancelled' }),
        ],
        [36 - shipped, 36 - shipped],
      );
    } finally {
      await Promise.all(services.map((service) => service.kill()));
      await client.close();
      await issuer.close();
      await database.close();
    }
  },
);
