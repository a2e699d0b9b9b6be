import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cookieNames, newId, type HistoryEvent } from '@clinic/service-kit';
import {
  startTestDatabase,
  startTestIssuer,
  type TestDatabase,
  testFetch,
  type TestFetch,
  type TestIssuer,
  type TokenPerson,
} from '@clinic/service-kit/testing';
import { MongoClient, type Db } from 'mongodb';
import { orderNumberOf, type OrderRecord } from './orders/order-record.ts';
import { collectionsOf, type PharmacyCollections } from './collections.ts';
import { startServiceProcess, type ServiceProcess } from './testing/service-process.ts';
import { orderBody, stockMedicine } from './testing/test-pharmacy.ts';

let database: TestDatabase;
let issuer: TestIssuer;
let client: MongoClient;
let db: Db;
let collections: PharmacyCollections;
let replicas: [ServiceProcess, ServiceProcess];

const email = 'owner@mail.example';
const owner: TokenPerson = { role: 'patient', email, id: newId().toHexString() };
const squatter: TokenPerson = { role: 'patient', email, id: newId().toHexString(), confirmed: false };

/** An order as written by the release before accounts, some replicas of which may still run. */
async function formerOrder(actorId?: string): Promise<OrderRecord> {
  const _id = newId();
  const order: OrderRecord = {
    _id,
    number: orderNumberOf(_id),
    items: [],
    orderDate: new Date(),
    status: 'pending',
    deliveryAddress: 'House 1',
    customerEmail: email,
    customerPhone: '+880 1555 010400',
  };
  await collections.orders.insertOne(order);
  if (actorId !== undefined) {
    await db.collection<HistoryEvent>('events').insertOne({
      at: new Date(),
      call: 'placeOrder',
      actor: { id: actorId, email, role: 'patient' },
      requestId: 'r',
      record: { type: 'order', id: _id.toHexString() },
      people: [email],
      action: 'placed',
      before: null,
      after: {},
    });
  }
  return order;
}

before(async () => {
  database = await startTestDatabase();
  issuer = await startTestIssuer();
  client = await new MongoClient(database.uri).connect();
  db = client.db(database.newName('pharmacy'));
  collections = collectionsOf(db);
});
after(async () => {
  await Promise.all(replicas.map((replica) => replica.kill()));
  await client.close();
  await issuer.close();
  await database.close();
});

const at = async (replica: ServiceProcess, person: TokenPerson): Promise<TestFetch> =>
  testFetch(replica.url, { Cookie: `${cookieNames.access}=${await issuer.token(person)}` });

test(
  'two replicas starting together give every order its account once, during orders and confirmations',
  { timeout: 120_000 },
  async () => {
    const placed = await Promise.all(Array.from({ length: 30 }, () => formerOrder(squatter.id)));
    const nobodys = await Promise.all(Array.from({ length: 30 }, () => formerOrder()));
    const env = {
      MONGODB_URI: database.uri,
      MONGODB_DATABASE: db.databaseName,
      IDENTITY_URL: issuer.url,
      PHARMACY_MAX_OPEN_ORDERS: '1000',
      PHARMACY_MAX_OPEN_ORDERS_UNCONFIRMED: '1000',
    };
    replicas = await Promise.all([startServiceProcess(env), startServiceProcess(env)]);
    const { medicineId } = await stockMedicine({ collections }, { quantity: 1_000, unit: 'tablet' });
    const body = orderBody(email, [{ medicineId, quantity: 1 }]);

    const answers = await Promise.all(
      replicas.flatMap((replica) =>
        [owner, squatter].flatMap((person) =>
          Array.from({ length: 5 }, async () => {
            const as = await at(replica, person);
            const [order, list] = await Promise.all([
              as('/orderMedi', { method: 'POST', json: body }),
              as(`/orderMedi?email=${email}`),
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
      ((await (await (await at(replicas[0], person))(`/orderMedi?email=${email}`)).json()) as unknown[]).length;
    assert.deepEqual([await count(owner), await count(squatter)], [40, 40]);
  },
);
