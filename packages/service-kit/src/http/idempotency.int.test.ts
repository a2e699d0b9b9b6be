import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { applyRetention, kitRetention } from '../privacy/retention.ts';
import { startTestService } from '../testing/index.ts';
import { orderBody, ordersOf, shopService } from '../testing/shop-service.ts';

const service = await startTestService(shopService);
const ann = service.as({ role: 'patient', email: 'ann@clinic.example' });
after(() => service.close());
beforeEach(async () => {
  await ordersOf(service).deleteMany({});
  await service.db.collection('events').deleteMany({});
});

const place = (key: string | undefined, address?: string, who = ann): Promise<Response> =>
  who('/orderMedi', {
    method: 'POST',
    json: orderBody('ann@clinic.example', address),
    headers: key === undefined ? {} : { 'Idempotency-Key': key },
  });
const counts = async (): Promise<[number, number]> => [
  await ordersOf(service).countDocuments(),
  await service.db.collection('events').countDocuments(),
];

test('returns the first result to a repeat, without a second effect', async () => {
  const first = await place('k1');
  const again = await place('k1');
  assert.deepEqual([first.status, again.status], [201, 201]);
  assert.deepEqual(await again.json(), await first.json());
  assert.deepEqual(await counts(), [1, 1]);
});

test('runs once for twenty concurrent requests', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => place('k2')));
  const ids = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { _id?: string })._id));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  assert.equal(new Set(ids).size, 1);
  assert.deepEqual(await counts(), [1, 1]);
});

test('rejects the key for a different request', async () => {
  await place('k3');
  const other = await place('k3', 'Road 6');
  assert.equal(other.status, 422);
  assert.equal(((await other.json()) as { code: string }).code, 'idempotency_mismatch');
  assert.deepEqual(await counts(), [1, 1]);
});

test('keeps different people’s keys separate, and runs every time without a key', async () => {
  const bob = service.as({ role: 'patient', email: 'bob@clinic.example' });
  await place('k4');
  const answer = await bob('/orderMedi', {
    method: 'POST',
    json: orderBody('bob@clinic.example'),
    headers: { 'Idempotency-Key': 'k4' },
  });
  assert.equal(answer.status, 201);
  await place(undefined);
  await place(undefined);
  assert.deepEqual(await counts(), [4, 4]);
});

test('doesn’t remember a failure', async () => {
  assert.equal((await place('k5', 'nowhere')).status, 409);
  assert.deepEqual(await counts(), [0, 0]);
  assert.equal((await place('k5')).status, 201);
});

test('rejects malformed keys, and purges old ones', async () => {
  assert.equal((await place('x'.repeat(201))).status, 400);
  assert.equal((await place('a b')).status, 400);
  await place('k6');
  await service.db
    .collection<{ _id: string }>('idempotency')
    .updateMany({}, { $set: { createdAt: new Date(Date.now() - 25 * 3_600_000) } });
  // The service may be at it, too.
  await applyRetention(service.context, kitRetention(service.context));
  assert.equal((await place('k6')).status, 201);
  assert.deepEqual(await counts(), [2, 2]);
});
