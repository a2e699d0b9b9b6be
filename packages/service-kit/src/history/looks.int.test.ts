import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, test } from 'node:test';
import { ObjectId } from 'mongodb';
import { usesIndex } from '../testing/query-plan.ts';
import type { Look } from '@clinic/contracts';
import { pharmacyCalls } from '@clinic/svc-pharmacy/contract';
import { startTestDatabase } from '../testing/test-database.ts';
import { lookSorts } from './list-looks.ts';
import { lookFilter, looksOf, type LookRecord } from './look-record.ts';
import { about } from './looked-at.ts';
import { looksWritten, noteLooks } from './note-looks.ts';
import { catchUpWithAccounts } from '../auth/follow-accounts.ts';
import { holdClock } from '../testing/hold-clock.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { applyRetention, kitRetention } from '../privacy/retention.ts';
import { personWith, startTestService, type TestFetch, type TestService, type TokenPerson } from '../testing/index.ts';
import { ordersOf, shopService, type ShopSettings } from '../testing/shop-service.ts';

let service: TestService<ShopSettings>;
const database = await startTestDatabase();
after(() => database.close());
beforeEach(async () => {
  service = await startTestService(shopService, { mongoUri: database.uri });
  for (const { id = '', email } of [ann, bob]) service.issuer.setPerson(email, personWith(id, email));
});
afterEach(() => service.close());

const ann: TokenPerson = { role: 'patient', email: 'ann@mail.example', id: 'a'.repeat(24) };
const bob: TokenPerson = { role: 'patient', email: 'bob@mail.example', id: 'b'.repeat(24) };
const paul: TokenPerson = { role: 'pharmacist', email: 'paul@clinic.example', id: 'c'.repeat(24) };
const ada: TokenPerson = { role: 'admin', email: 'ada@clinic.example', id: 'd'.repeat(24) };

/** An order of somebody whose address this service knows. */
async function order({ email, id = '' }: TokenPerson): Promise<string> {
  const contacts = service.db.collection<{ _id: string }>('contacts');
  await contacts.updateOne({ _id: email }, { $set: { accountId: id } }, { upsert: true });
  const _id = new ObjectId();
  await ordersOf(service).insertOne({
    _id,
    customerId: id,
    items: [],
    orderDate: '2026-01-01T00:00:00.000Z',
    status: 'pending',
    deliveryAddress: 'Road 5',
    customeremail: email,
    customerPhone: '',
  });
  return _id.toHexString();
}

async function get<T = unknown>(to: TestFetch, path: string): Promise<T> {
  const answer = await to(path);
  assert.equal(answer.status, 200, path);
  const body = (await answer.json()) as T;
  await looksWritten(service.db);
  return body;
}

/** Everything recorded, without times. */
const noted = async (): Promise<string[]> =>
  (await looksOf(service).find().toArray())
    .map(({ by, email, what, how }) => `${by.role} ${how} ${what} of ${email}`)
    .toSorted();

test('records one view per person, caller and hour, however many and however concurrent', async (t) => {
  holdClock(t);
  const id = await order(ann);
  await using second = await startTestService(shopService, { mongoUri: database.uri });
  // A replica on the same database.
  const replica = noteLooks({ db: second.client.db(service.db.databaseName), log: second.context.log });
  const request = { caller: { id: paul.id ?? '', role: paul.role, email: paul.email, confirmed: true } };
  await Promise.all([
    ...Array.from({ length: 10 }, () => get(service.as(paul), `/orderMedi/${id}/history`)),
    ...Array.from({ length: 10 }, async () =>
      replica(pharmacyCalls.getOrderHistory, request, about({ email: ann.email, id: ann.id }, [])),
    ),
  ]);
  await looksWritten(second.client.db(service.db.databaseName));
  await get(service.as(ada), `/orderMedi?email=${ann.email}`);
  assert.deepEqual(await noted(), [
    'admin opened orders of ann@mail.example',
    'pharmacist opened orders of ann@mail.example',
  ]);
});

test('records everyone a search found, and an export in place of a plain view', async (t) => {
  holdClock(t);
  await order(ann);
  await order(bob);
  await get(service.as(paul), '/orderMedi?q=road&limit=10');
  assert.deepEqual(await noted(), [
    'pharmacist searched orders of ann@mail.example',
    'pharmacist searched orders of bob@mail.example',
  ]);
  await get(service.as(ada), `/orderMedi?email=${ann.email}`);
  await get(service.as(ada), `/orderMedi/export?email=${ann.email}`);
  await get(service.as(ada), `/orderMedi?email=${ann.email}`);
  assert.deepEqual(await noted(), [
    'admin exported orders of ann@mail.example',
    'pharmacist searched orders of ann@mail.example',
    'pharmacist searched orders of bob@mail.example',
  ]);
});

test('records nothing for own records, patients, whole lists, empty results and rejected requests', async () => {
  const id = await order(ann);
  await order(paul);
  await get(service.as(ann), `/orderMedi?email=${ann.email}&q=road`);
  await get(service.as(ann), `/orderMedi/${id}/history`);
  await get(service.as(paul), `/orderMedi?email=${paul.email}`);
  await get(service.as(paul), '/orderMedi');
  await get(service.as(ada), '/orderMedi?email=nobody@mail.example');
  await get(service.as(ada), '/orderMedi/export?email=nobody@mail.example');
  assert.equal((await service.as({ ...bob, role: 'doctor' })(`/orderMedi?email=${ann.email}`)).status, 403);
  assert.equal((await service.as({ ...paul, confirmed: false })(`/orderMedi?email=${ann.email}`)).status, 403);
  await looksWritten(service.db);
  assert.deepEqual(await noted(), []);
});

test('shows the person which roles viewed their records, and admins the names', async () => {
  await order(ann);
  await get(service.as(paul), `/orderMedi?email=${ann.email}`);
  await get(service.as(ada), `/orderMedi?email=${ann.email}`);
  const shown = async (who: TokenPerson, email: string): Promise<Look['by'][]> =>
    (await get<Look[]>(service.as(who), `/orderMedi/looks?email=${email}`)).map(({ by }) => by);
  assert.deepEqual(await shown(ann, ann.email), [{ role: 'admin' }, { role: 'pharmacist' }]);
  assert.deepEqual(await shown(ada, ann.email), [
    { role: 'admin', email: ada.email },
    { role: 'pharmacist', email: paul.email },
  ]);
  // A person who only typed the address sees nothing; nor does anybody else.
  assert.deepEqual(await shown({ ...ann, id: 'e'.repeat(24), confirmed: false }, ann.email), []);
  for (const other of [bob, paul])
    assert.equal((await service.as(other)(`/orderMedi/looks?email=${ann.email}`)).status, 403);
});

test('an account sees views from before its address changed; the address’s next owner doesn’t', async () => {
  const id = await order(ann);
  await get(service.as(paul), `/orderMedi/${id}/history`);
  assert.equal(
    (
      await get<Look[]>(
        service.as({ ...ann, email: 'ann.new@mail.example' }),
        '/orderMedi/looks?email=ann.new@mail.example',
      )
    ).length,
    1,
  );
  assert.equal(
    (await get<Look[]>(service.as({ ...ann, id: 'f'.repeat(24) }), `/orderMedi/looks?email=${ann.email}`)).length,
    0,
  );
});

test('is paged, latest first, through an index', async () => {
  const look = (at: number): LookRecord => ({
    _id: `look ${at}`,
    at: new Date(1_000 * at),
    by: { id: paul.id ?? '', role: 'pharmacist', email: paul.email },
    whose: at % 2 ? (ann.id ?? '') : ann.email,
    email: ann.email,
    what: 'orders',
    how: 'opened',
  });
  // Read once: at the end of a second two would be the same.
  const now = Math.floor(Date.now() / 1_000);
  await looksOf(service).insertMany(Array.from({ length: 50 }, (_, at) => look(now - at)));
  const ids: string[] = [];
  let path: string | undefined = `/orderMedi/looks?email=${ann.email}&limit=20`;
  while (path !== undefined) {
    const answer: Response = await service.as(ann)(path);
    ids.push(...((await answer.json()) as Look[]).map(({ _id }) => _id));
    path = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  assert.equal(ids.length, 50);
  assert.deepEqual(ids, ids.toSorted().toReversed());
  const page = looksOf(service)
    .find(lookFilter(undefined, [ann]))
    .sort(lookSorts.newest)
    .limit(20);
  assert.ok(usesIndex(await page.explain('queryPlanner'), { sorted: true }));
  for (const filter of [
    { at: { $lt: new Date() } },
    { 'by.id': 'x' },
    lookFilter(ann.id, [ann]),
    lookFilter(ann.id, [
      { email: ann.email, from: new Date(0) },
      { email: bob.email, until: new Date() },
    ]),
  ]) {
    assert.ok(usesIndex(await looksOf(service).find(filter).explain('queryPlanner')));
  }
});

test('views under an address are its owner’s of that time, and nobody else’s to see', async () => {
  const { email, id = '' } = bob;
  const moved = { ...bob, email: 'bob.new@mail.example' };
  const hands = new Date(Date.now() - 60_000);
  const view = (minutes: number): LookRecord => ({
    _id: `view ${minutes}`,
    at: new Date(hands.getTime() + minutes * 60_000),
    by: { id: paul.id ?? '', role: 'pharmacist', email: paul.email },
    whose: email,
    email,
    what: 'orders',
    how: 'opened',
  });
  await looksOf(service).insertMany([view(-1), view(0.5)]);
  const since = hands.toISOString();
  const first = { email, since: new Date(0).toISOString(), until: since };
  for (const [owner, held, views] of [
    // Somebody else had it before.
    [bob, [{ email, since }], ['view 0.5']],
    // Somebody else can have it since.
    [moved, [first, { email: moved.email, since }], ['view -1']],
  ] as const) {
    await order(owner);
    service.issuer.changeAccount(id, { email: owner.email, held: [...held] });
    await catchUpWithAccounts(service);
    for (const who of [owner, ada])
      await waitUntil(async () => {
        const seen = await get<Look[]>(service.as(who), `/orderMedi/looks?email=${owner.email}`);
        assert.deepEqual(
          seen.map(({ _id }) => _id),
          views,
        );
      });
  }
});

test('is part of the person’s data export without names, and is erased with the person', async () => {
  const id = await order(ann);
  await order(bob);
  await get(service.as(paul), `/orderMedi/${id}/history`);
  const copy = await get<{ kind: string; data: Record<string, unknown> }[]>(
    service.as(ann),
    `/orderMedi/export?email=${ann.email}`,
  );
  assert.deepEqual(
    copy.filter(({ kind }) => kind === 'look').map(({ data }) => ({ ...data, at: '' })),
    [{ at: '', by: 'pharmacist', what: 'orders', how: 'opened' }],
  );
  assert.ok(!JSON.stringify(copy).includes(paul.email));

  await get(service.as(paul), `/orderMedi?email=${bob.email}`);
  await service.erase(personWith(ann.id ?? '', ann.email));
  assert.deepEqual(await noted(), ['pharmacist opened orders of bob@mail.example']);
  // Staff can't delete their own account.
  const own = await service.as(ada)('/orderMedi/erasure', {
    method: 'POST',
    json: { email: ada.email, userId: ada.id },
  });
  assert.deepEqual([own.status, ((await own.json()) as { code: string }).code], [409, 'staff_account']);
  // When a member of staff is deleted, what they did stays, without their name.
  await service.erase(personWith(paul.id ?? '', paul.email));
  const [left] = await looksOf(service).find().toArray();
  assert.deepEqual(left?.by, { id: paul.id, role: 'pharmacist', email: `deleted-${paul.id}@deleted.invalid` });
});

test('is purged after the retention period', async () => {
  const look = (days: number): LookRecord => ({
    _id: String(days),
    at: new Date(Date.now() - days * 86_400_000),
    by: { id: 'x', role: 'admin', email: ada.email },
    whose: ann.email,
    email: ann.email,
    what: 'orders',
    how: 'opened',
  });
  await looksOf(service).insertMany([
    look(366),
    look(364),
    ...Array.from({ length: 1_200 }, (_, at) => look(400 + at)),
  ]);
  // The service may be at it, too.
  await applyRetention(service.context, kitRetention(service.context));
  assert.deepEqual(
    (await looksOf(service).find().toArray()).map(({ _id }) => _id),
    ['364'],
  );
});

test('a view that can’t be written is logged and doesn’t fail the response', async () => {
  await order(ann);
  // Makes the collection reject every view.
  await looksOf(service).createIndex({ what: 1 }, { unique: true });
  await looksOf(service).insertOne({
    _id: 'x',
    at: new Date(),
    by: { id: 'x', role: 'admin', email: 'x' },
    whose: 'x',
    email: 'x',
    what: 'orders',
    how: 'opened',
  });
  assert.equal((await get<unknown[]>(service.as(paul), `/orderMedi?email=${ann.email}`)).length, 1);
  assert.ok(service.log.some((line) => line.includes('record views could not be written')));
  assert.ok(!service.log.join('').includes(ann.email));
});
