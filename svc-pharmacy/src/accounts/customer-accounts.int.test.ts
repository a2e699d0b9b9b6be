import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Order } from '../contract/order-schemas.ts';
import { erasedEmail } from '@clinic/contracts/erased-person';
import { newId, type HistoryEvent } from '@clinic/service-kit';
import type { TestFetch } from '@clinic/service-kit/testing';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import {
  move,
  order,
  orderBody,
  problemOf,
  read,
  storedOrder,
  sharedPharmacy,
  countByStatus,
} from '../testing/test-pharmacy.ts';
import { findCustomerAccounts, schemaChanges } from './customer-accounts.ts';
import type { OrderRecord } from '../orders/order-record.ts';

const pharmacy = await sharedPharmacy({ PHARMACY_MAX_OPEN_ORDERS_UNCONFIRMED: '2' });

let people = 0;
/** An address, a squatter who registered it without access to its mail, and its real owner. */
function victim() {
  people += 1;
  const email = `victim${people}@mail.example`;
  const id = { squatter: newId().toHexString(), owner: newId().toHexString() };
  return {
    email,
    id,
    squatter: pharmacy.as({ role: 'patient', email, id: id.squatter, confirmed: false }),
    owner: pharmacy.as({ role: 'patient', email, id: id.owner }),
  };
}

/** Stores an order as releases without accounts wrote it. */
async function formerOrder(customerEmail: string, change?: Partial<OrderRecord>): Promise<OrderRecord> {
  const written = storedOrder({ customerEmail, ...change });
  await pharmacy.collections.orders.insertOne(written);
  return written;
}

const placedBy = (orderId: string, id: string, email: string): HistoryEvent => ({
  at: new Date(),
  call: 'placeOrder',
  actor: { id, email, role: 'patient' },
  requestId: 'r',
  record: { type: 'order', id: orderId },
  people: [email],
  action: 'placed',
  before: null,
  after: { status: 'pending' },
});

async function own(as: TestFetch, email: string): Promise<string[]> {
  return (await read(as, 'listOrders', `/orderMedi?email=${email}`)).map(({ _id }) => _id);
}
const accountOf = async ({ _id }: Pick<OrderRecord, '_id'>): Promise<string | undefined> =>
  (await pharmacy.collections.orders.findOne({ _id }))?.customerId;
const copyOf = async (as: TestFetch, email: string): Promise<string> =>
  (await as(`/orderMedi/export?email=${email}`)).text();

test('two accounts with one address see, change and export only their own orders, and the account isn’t on the wire', async () => {
  const { email, id, squatter, owner } = victim();
  const { medicineId } = await pharmacy.stockMedicine();
  const theirs = await order(squatter, email, [{ medicineId, quantity: 1 }]);
  const mine = await order(owner, email, [{ medicineId, quantity: 2 }]);
  assert.ok(!JSON.stringify([theirs, mine]).includes('customerId'));
  assert.deepEqual(await own(squatter, email), [theirs._id]);
  assert.deepEqual(await own(owner, email), [mine._id]);
  const stored = await pharmacy.collections.orders.find({ customerEmail: email }).sort({ orderDate: 1 }).toArray();
  assert.deepEqual(
    stored.map(({ customerId }) => customerId),
    [id.squatter, id.owner],
  );

  for (const [as, foreign] of [
    [squatter, mine],
    [owner, theirs],
  ] as const) {
    assert.equal((await move(as, foreign._id, 'Cancelled')).status, 403);
    assert.equal((await as(`/orderMedi/${foreign._id}/history`)).status, 403);
  }
  assert.deepEqual(
    await pharmacy.collections.orders.find({ customerEmail: email }).sort({ orderDate: 1 }).toArray(),
    stored,
  );
  // As svc-identity knows it: the squatter's account is given up when the owner proves the address.
  const had = { id: id.squatter, since: new Date(0), until: new Date() };
  const addresses = [{ email, since: new Date(), confirmed: true, others: [had] }];
  pharmacy.issuer.setPerson(id.owner, { id: id.owner, email, addresses });
  const copies = [await copyOf(squatter, email), await copyOf(owner, email)];
  assert.deepEqual(
    copies.map((copy) => [copy.includes(theirs._id), copy.includes(mine._id)]),
    [
      [true, false],
      [false, true],
    ],
  );
  // A search by staff for the address finds both.
  assert.deepEqual((await own(pharmacy.as('pharmacist'), email)).toSorted(), [theirs._id, mine._id].toSorted());
  assert.equal((await move(owner, mine._id, 'Cancelled')).status, 200);
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 99);
});

test('an order without an account joins the account that confirms its address, and no other', async () => {
  const { email, id, squatter, owner } = victim();
  const unowned = await formerOrder(email);
  const orderId = unowned._id.toHexString();
  assert.deepEqual(await own(squatter, email), []);
  assert.equal((await squatter(`/orderMedi/${orderId}/history`)).status, 403);
  assert.equal(await accountOf(unowned), undefined);
  assert.ok(!(await copyOf(squatter, email)).includes(orderId));

  assert.deepEqual(await own(owner, email), [orderId]);
  assert.equal(await accountOf(unowned), id.owner);
  assert.equal((await move(owner, orderId, 'Cancelled')).status, 200);
  // The next account that confirms the address gets no order that already has one.
  const next = pharmacy.as({ role: 'patient', email, id: newId().toHexString() });
  assert.deepEqual(await own(next, email), []);
  assert.equal(await accountOf(unowned), id.owner);
});

test('earlier orders go to the account that placed them according to the history, in any number, permanently', async () => {
  const { email, id } = victim();
  const byAccount = Array.from({ length: 1_100 }, () => storedOrder({ customerEmail: email }));
  await pharmacy.collections.orders.insertMany(byAccount);
  await pharmacy.db
    .collection<HistoryEvent>('events')
    .insertMany(byAccount.map(({ _id }) => placedBy(_id.toHexString(), id.squatter, email)));
  const unknown = await formerOrder(email);
  const seeded = await formerOrder(email);
  const { actor: _nobody, ...event } = placedBy(seeded._id.toHexString(), '', email);
  await pharmacy.db.collection<Omit<HistoryEvent, 'actor'>>('events').insertOne({ ...event, call: 'seed' });
  const taken = await formerOrder(email, { customerId: id.owner });
  await pharmacy.db.collection<HistoryEvent>('events').insertOne(placedBy(taken._id.toHexString(), id.squatter, email));
  const erased = await formerOrder(erasedEmail(id.squatter));
  await pharmacy.db
    .collection<HistoryEvent>('events')
    .insertOne(placedBy(erased._id.toHexString(), id.squatter, erasedEmail(id.squatter)));

  const [change] = schemaChanges;
  await Promise.all([change?.up(pharmacy.context), change?.up(pharmacy.context)]);
  assert.equal(
    await pharmacy.collections.orders.countDocuments({ customerEmail: email, customerId: id.squatter }),
    1_100,
  );
  assert.deepEqual(await Promise.all([unknown, seeded, taken, erased].map(accountOf)), [
    undefined,
    undefined,
    id.owner,
    undefined,
  ]);
  assert.equal(await findCustomerAccounts(pharmacy.db), 0);
});

test('orders written by a replica of an earlier release get their account too', async () => {
  const { email, id } = victim();
  const now = Date.now();
  const [old, late] = [
    await formerOrder(email, { orderDate: new Date(now - 7_200_000) }),
    await formerOrder(email, { orderDate: new Date(now) }),
  ];
  for (const { _id } of [old, late])
    await pharmacy.db.collection<HistoryEvent>('events').insertOne(placedBy(_id.toHexString(), id.owner, email));
  assert.equal(await findCustomerAccounts(pharmacy.db, new Date(now - 3_600_000)), 1);
  assert.deepEqual(await Promise.all([old, late].map(accountOf)), [undefined, id.owner]);
});

test('limits count the account’s orders, not those under its address', async () => {
  const { email, squatter, owner } = victim();
  const { medicineId } = await pharmacy.stockMedicine();
  const place = (as: TestFetch) =>
    as('/orderMedi', { method: 'POST', json: orderBody(email, [{ medicineId, quantity: 1 }]) });
  const answers = await Promise.all(Array.from({ length: 6 }, () => place(squatter)));
  assert.deepEqual(countByStatus(answers), { 201: 2, 409: 4 });
  const rejected = await problemOf(answers.find(({ status }) => status === 409) ?? assert.fail(), 409);
  assert.deepEqual(
    [rejected.code, rejected.detail],
    ['too_many_orders', 'You have 2 orders we haven’t sent yet. Confirm your email address to order more.'],
  );
  for (let number = 0; number < 3; number += 1) assert.equal((await place(owner)).status, 201);
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 95);
});

test('staff with an unconfirmed address have a customer’s rights and limits', async () => {
  const { medicineId } = await pharmacy.stockMedicine({ quantity: 50_000 });
  const foreign = await order(pharmacy.as('patient'), 'patient@clinic.example', [{ medicineId, quantity: 1 }]);
  for (const role of ['pharmacist', 'admin'] as const) {
    const email = `unconfirmed-${role}@clinic.example`;
    const held = pharmacy.as({ role, email, confirmed: false });
    assert.equal((await held('/orderMedi')).status, 403);
    assert.equal((await held('/orderMedi?email=patient@clinic.example')).status, 403);
    assert.equal((await move(held, foreign._id, 'Cancelled')).status, 403);
    const place = () => held('/orderMedi', { method: 'POST', json: orderBody(email, [{ medicineId, quantity: 1 }]) });
    assert.deepEqual(countByStatus([await place(), await place(), await place()]), { 201: 2, 409: 1 });
  }
});

test('deleting an account with an unconfirmed address leaves everything else under the address alone', async () => {
  const { email, id, squatter, owner } = victim();
  const { medicineId } = await pharmacy.stockMedicine();
  const theirs = await order(squatter, email, [{ medicineId, quantity: 1 }]);
  const mine = await order(owner, email, [{ medicineId, quantity: 2 }]);
  const nobodys = await formerOrder(email);
  const before = await pharmacy.collections.orders.find({ _id: { $in: [nobodys._id] } }).toArray();
  const erase = (account: string, confirmed: boolean) =>
    pharmacy.erase({ id: account, email, addresses: [{ email, since: new Date(0), confirmed, others: [] }] });
  const first = await erase(id.squatter, false);
  assert.deepEqual([first.done, first.records, first.cancelled], [true, 1, 1]);
  const statusOf = async (placed: Order) =>
    (await pharmacy.collections.orders.findOne({ number: placed._id.slice(-6).toUpperCase() }))?.status;
  assert.deepEqual([await statusOf(theirs), await statusOf(mine)], ['Cancelled', 'pending']);
  assert.deepEqual(await own(owner, email), [mine._id]);
  assert.deepEqual(await pharmacy.collections.orders.find({ _id: nobodys._id }).toArray(), before);

  // The owner has confirmed the address, so orders under it that have no account are erased too.
  const second = await erase(id.owner, true);
  assert.deepEqual([second.done, second.records, second.cancelled], [true, 2, 2]);
  const left = await pharmacy.collections.orders.find({ customerEmail: erasedEmail(id.owner) }).toArray();
  assert.deepEqual(
    left.map(({ status, deliveryAddress, customerPhone, customerId }) => [
      status,
      deliveryAddress,
      customerPhone,
      customerId,
    ]),
    Array.from({ length: 2 }, () => ['Cancelled', '', '', undefined]),
  );
  assert.equal(await pharmacy.collections.orders.countDocuments({ customerEmail: email }), 0);
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 100);
});

test('a customer’s events name the account, so that live lists and data exports find them', async () => {
  const { email, id, owner } = victim();
  const { medicineId } = await pharmacy.stockMedicine();
  const placed = await order(owner, email, [{ medicineId, quantity: 1 }]);
  assert.equal((await move(pharmacy.as('pharmacist'), placed._id, 'Shipped')).status, 200);
  const events = await pharmacy.eventsOf(placed._id);
  assert.deepEqual(
    events.map(({ action, accounts, concerns }) => [action, accounts, concerns]),
    [
      ['placed', [id.owner], [email]],
      ['status changed', [pharmacy.issuer.idOf('pharmacist@clinic.example'), id.owner], [email]],
    ],
  );
  assert.match(await copyOf(owner, email), /"after":\{"status":"Shipped"\}/);
  const shown = await read(owner, 'getOrderHistory', `/orderMedi/${placed._id}/history`);
  assert.deepEqual(
    shown.map(({ action, actor }) => [action, actor]),
    [
      ['status changed', { role: 'pharmacist' }],
      ['placed', { role: 'patient', email }],
    ],
  );
});

test('orders and requests about stock follow the customer’s address, and deleted customers stay anonymous', async () => {
  const { email, id, owner } = victim();
  const { orders, stockRequests } = pharmacy.collections;
  pharmacy.issuer.changeAccount(id.owner, { email });
  const { medicineId } = await pharmacy.stockMedicine();
  const placed = await order(owner, email, [{ medicineId, quantity: 1 }]);
  const anonymous = await formerOrder(erasedEmail(id.owner), { customerId: id.owner });
  const asked = { _id: newId(), medicine: newId(), accountId: id.owner, email, askedAt: new Date() };
  await stockRequests.insertOne(asked);
  const now = `new.${email}`;
  pharmacy.issuer.changeAccount(id.owner, { email: now, former: [email], version: 2 });
  await waitUntil(async () => {
    assert.equal((await orders.findOne({ customerId: id.owner, customerEmail: now }))?._id.toHexString(), placed._id);
    assert.equal((await stockRequests.findOne({ _id: asked._id }))?.email, now);
  });
  assert.equal((await orders.findOne({ _id: anonymous._id }))?.customerEmail, erasedEmail(id.owner));
  assert.equal(await orders.countDocuments({ customerEmail: email }), 0);
});
