import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { newId, type HistoryEvent } from '@clinic/service-kit';
import type { TokenPerson } from '@clinic/service-kit/testing';
import { untilServed } from '@clinic/service-kit/testing/wait-until';
import type { OrderRecord } from './orders/order-record.ts';
import { sharedBackends } from './testing/service-process.ts';
import { countByStatus, orderBody, storedOrder, shelf } from './testing/test-pharmacy.ts';

const { db, collections, startService } = await sharedBackends();

const email = 'owner@mail.example';
const owner: TokenPerson = { role: 'patient', email, id: newId().toHexString() };
const keeper: TokenPerson = { role: 'pharmacist', email: 'keeper@clinic.example', id: newId().toHexString() };
const squatter: TokenPerson = { role: 'patient', email, id: newId().toHexString(), confirmed: false };

/** An order as written by the release before accounts, some replicas of which may still run. */
async function formerOrder(actorId?: string): Promise<OrderRecord> {
  const order = storedOrder({ customerEmail: email });
  await collections.orders.insertOne(order);
  if (actorId !== undefined) {
    await db.collection<HistoryEvent>('events').insertOne({
      at: new Date(),
      call: 'placeOrder',
      actor: { id: actorId, email, role: 'patient' },
      requestId: 'r',
      record: { type: 'order', id: order._id.toHexString() },
      people: [email],
      action: 'placed',
      before: null,
      after: {},
    });
  }
  return order;
}

test(
  'two replicas starting together give every order its account once, during orders and confirmations',
  { timeout: 120_000 },
  async () => {
    const placed = await Promise.all(Array.from({ length: 30 }, () => formerOrder(squatter.id)));
    const nobodys = await Promise.all(Array.from({ length: 30 }, () => formerOrder()));
    const env = {
      PHARMACY_MAX_OPEN_ORDERS: '1000',
      PHARMACY_MAX_OPEN_ORDERS_UNCONFIRMED: '1000',
    };
    const replicas = await Promise.all([startService(env), startService(env)]);
    const { medicineId } = await shelf(collections).stockMedicine({ quantity: 1_000, unit: 'tablet' });
    const body = orderBody(email, [{ medicineId, quantity: 1 }]);

    const answers = await Promise.all(
      replicas.flatMap((replica) =>
        [owner, squatter].flatMap((person) =>
          Array.from({ length: 5 }, async () => {
            const send = replica.as(person);
            const headers = { 'Idempotency-Key': randomUUID() };
            const [order, list] = await Promise.all([
              untilServed(() => send('/orderMedi', { method: 'POST', json: body, headers })),
              untilServed(() => send(`/orderMedi?email=${email}`)),
            ]);
            assert.equal(list.status, 200);
            assert.equal(order.status, 201, await order.clone().text());
            return { id: ((await order.json()) as { _id: string })._id, person };
          }),
        ),
      ),
    );

    const accounts = new Map(
      (await collections.orders.find().toArray()).map(({ _id, customerId }) => [_id.toHexString(), customerId]),
    );
    const accountsOf = (orders: readonly OrderRecord[]) =>
      new Set(orders.map(({ _id }) => accounts.get(_id.toHexString())));
    assert.deepEqual(accountsOf(placed), new Set([squatter.id]), 'what the squatter’s account has placed');
    assert.deepEqual(accountsOf(nobodys), new Set([owner.id]), 'what nobody’s account had');
    for (const { id, person } of answers) assert.equal(accounts.get(id), person.id);
    const count = async (person: TokenPerson): Promise<number> =>
      ((await (await replicas[0].as(person)(`/orderMedi?email=${email}`)).json()) as unknown[]).length;
    assert.deepEqual([await count(owner), await count(squatter)], [40, 40]);
  },
);

test('of those who have counted one shelf at two replicas, while others order from it, one corrects it', async () => {
  const replicas = await Promise.all([startService(), startService()]);
  const { _id, medicineId } = await shelf(collections).stockMedicine({ quantity: 20 });
  const json = { by: -2, reason: 'counted', seen: { onShelf: 20 } };
  const answers = await Promise.all(
    replicas.flatMap((replica, at) =>
      [1, 2, 3].flatMap((buyer) => {
        const by = `counted${at}${buyer}@mail.example`;
        const body = orderBody(by, [{ medicineId, quantity: 1 }]);
        const buying = { method: 'POST', json: body, headers: { 'Idempotency-Key': randomUUID() } };
        const correcting = { method: 'POST', json, headers: { 'Idempotency-Key': randomUUID() } };
        return [
          untilServed(() => replica.as(keeper)(`/medicine/${_id.toHexString()}/adjustments`, correcting)),
          untilServed(() => replica.as({ role: 'patient', email: by })('/orderMedi', buying)),
        ];
      }),
    ),
  );
  assert.deepEqual(countByStatus(answers), { 200: 1, 201: 6, 412: 5 });
  assert.equal((await shelf(collections).stockOf(medicineId)).quantity, 12);
});
