import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { MongoClient, type Document } from 'mongodb';
import { usesIndex } from '../testing/query-plan.ts';
import { startTestDatabase } from '../testing/test-database.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { applyRetention, kitRetention, type RetentionRule } from './retention.ts';
import { startTestService } from '../testing/index.ts';
import { shopService } from '../testing/shop-service.ts';

const database = await startTestDatabase();
const client = await new MongoClient(database.uri).connect();
const service = await startTestService(shopService, { mongoUri: database.uri });
after(async () => {
  await service.close();
  await client.close();
  await database.close();
});
beforeEach(async () => {
  await service.db.collection('notes').deleteMany({});
  await service.db.collection('notes').createIndex({ at: 1 });
});

const day = 86_400_000;
const ago = (days: number): Date => new Date(Date.now() - days * day);
const notes = (): Promise<Document[]> =>
  service.db
    .collection('notes')
    .find({}, { projection: { _id: 0 } })
    .sort({ at: 1 })
    .toArray();
const rule = (more: Partial<RetentionRule> = {}): RetentionRule => ({
  what: 'notes',
  collection: 'notes',
  keptDays: 30,
  over: (before) => [{ at: { $lt: before } }],
  ...more,
});
const linesOf = (what: string): Document[] =>
  service.log.map((line) => JSON.parse(line) as Document).filter((line) => line['what'] === what);

test('purges expired records, however many, and logs the number', async () => {
  const old = Array.from({ length: 1_300 }, (_, at) => ({ at: ago(31 + at) }));
  await service.db.collection('notes').insertMany([...old, { at: ago(29), text: 'young' }]);
  assert.deepEqual(await applyRetention(service.context, [rule()]), new Map([['notes', 1_300]]));
  assert.deepEqual(
    (await notes()).map(({ text }) => text as unknown),
    ['young'],
  );
  assert.deepEqual(await applyRetention(service.context, [rule()]), new Map([['notes', 0]]));
  const [line, ...more] = linesOf('notes');
  assert.deepEqual(
    [line?.['records'], line?.['keptDays'], line?.['msg'], more],
    [1_300, 30, 'expired records purged', []],
  );
});

test('0 days keeps records for ever', async () => {
  await service.db.collection('notes').insertOne({ at: new Date(0) });
  assert.deepEqual(await applyRetention(service.context, [rule({ keptDays: 0 })]), new Map());
  assert.equal((await notes()).length, 1);
});

test('empties fields once if the record itself stays', async () => {
  const empty = rule({ over: (before) => [{ at: { $lt: before }, address: { $gt: '' } }], empty: { address: '' } });
  await service.db.collection('notes').insertMany([
    { at: ago(40), address: 'Road 5', total: 3 },
    { at: ago(1), address: 'Road 6', total: 4 },
  ]);
  assert.deepEqual(await applyRetention(service.context, [empty]), new Map([['notes', 1]]));
  assert.deepEqual(
    (await notes()).map(({ address, total }) => [address, total] as unknown),
    [
      ['', 3],
      ['Road 6', 4],
    ],
  );
  assert.deepEqual(await applyRetention(service.context, [empty]), new Map([['notes', 0]]));
});

test('concurrent replicas purge and count each record once, and spare renewed ones', async () => {
  const records = service.db.collection<{ _id: number; at: Date }>('notes');
  await records.insertMany(Array.from({ length: 4_000 }, (_, _id) => ({ _id, at: ago(31 + _id / 1_000) })));
  const replicas = Array.from({ length: 4 }, () => ({ ...service.context, db: client.db(service.db.databaseName) }));
  const renewed: number[] = [];
  const renew = async (): Promise<void> => {
    for (let id = 0; id < 4_000; id += 13) {
      if ((await records.updateOne({ _id: id }, { $set: { at: new Date() } })).matchedCount > 0) renewed.push(id);
    }
  };
  const [counts] = await Promise.all([
    Promise.all(replicas.map((replica) => applyRetention(replica, [rule()]))),
    renew(),
  ]);
  assert.ok(renewed.length > 0);
  assert.deepEqual(
    (await records.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id),
    renewed,
  );
  assert.equal(
    counts.reduce((sum, each) => sum + (each.get('notes') ?? 0), 0),
    4_000 - renewed.length,
  );
});

test('a service purges the kit’s records, and continues after a failure', async () => {
  const db = service.db.databaseName;
  await service.db.collection<{ _id: string; createdAt: Date }>('idempotency').insertMany([
    { _id: 'old', createdAt: ago(2) },
    { _id: 'new', createdAt: ago(0.9) },
  ]);
  await using _again = await startTestService(shopService, {
    mongoUri: database.uri,
    env: { MONGODB_DATABASE: db, IDEMPOTENCY_KEPT_DAYS: '1' },
  });
  const left = async (): Promise<string[]> =>
    (await service.db.collection<{ _id: string }>('idempotency').find().toArray()).map(({ _id }) => _id);
  await waitUntil(async () => assert.deepEqual(await left(), ['new']));
  await using broken = await startTestService(
    { ...shopService, retention: () => [rule({ over: () => [{ $nonsense: 1 }] })] },
    { mongoUri: database.uri },
  );
  await waitUntil(() => broken.log.some((line) => line.includes('purge of expired records failed, will retry')));
  assert.equal((await broken.anonymous('/health/ready')).status, 200);
});

test('each of the kit’s retention filters uses an index', async () => {
  for (const { collection, over } of kitRetention(service.context)) {
    for (const filter of over(new Date()))
      assert.ok(usesIndex(await service.db.collection(collection).find(filter).explain('queryPlanner')), collection);
  }
});
