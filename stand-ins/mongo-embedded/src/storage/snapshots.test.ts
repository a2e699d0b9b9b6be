import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientSession, Collection, Document } from 'mongodb';
import { createEngine } from '../server/engine.ts';
import { serverError, startTestServer } from '../testing/harness.ts';
import { Store } from './store.ts';

const server = await startTestServer();
let session: ClientSession;

const numbers = (from: number, to: number): Document[] =>
  Array.from({ length: to - from }, (_, n) => ({ _id: (from + n) as unknown as Document, value: from + n }));

async function filled(count: number): Promise<Collection<Document>> {
  const collection = server.fresh();
  await collection.insertMany(numbers(0, count));
  return collection;
}

test('shows all databases at one point in time, in insertion order, while everything changes', async () => {
  const collection = await filled(3000);
  const other = server.client.db('pharmacy').collection('late');
  await other.insertOne({ value: 'before' });
  session = server.client.startSession({ snapshot: true });
  const cursor = collection.find({}, { session, batchSize: 10 });
  const seen = [await cursor.next(), await cursor.next()];
  await collection.updateMany({ value: { $lt: 1500 } }, { $inc: { value: 100_000 } });
  await collection.deleteMany({ _id: { $gte: 2900 } } as Document);
  await collection.deleteOne({ _id: 1000 } as Document);
  await collection.insertMany(numbers(5000, 5600));
  await server.client.withSession((writing) =>
    writing.withTransaction(async () => {
      await other.updateOne({}, { $set: { value: 'after' } }, { session: writing });
    }),
  );
  await other.insertOne({ value: 'new' });
  for await (const doc of cursor) seen.push(doc);
  assert.deepEqual(seen, numbers(0, 3000));
  assert.deepEqual(
    (await other.find({}, { session }).toArray()).map(({ value }) => value as unknown),
    ['before'],
  );
  assert.deepEqual(await collection.find({ value: { $gte: 2998 } }, { session }).toArray(), numbers(2998, 3000));
  assert.deepEqual(await collection.find({}, { session, skip: 998, limit: 3 }).toArray(), numbers(998, 1001));
  assert.deepEqual(await server.db.collection('nothing').find({}, { session }).toArray(), []);
  await session.endSession();
});

test('keeps nothing once nobody is reading', async () => {
  const collection = await filled(10);
  session = server.client.startSession({ snapshot: true });
  await collection.findOne({}, { session });
  const time = (session as unknown as { snapshotTime: unknown }).snapshotTime;
  const again = server.db.command({
    find: collection.collectionName,
    readConcern: { level: 'snapshot', atClusterTime: time },
  });
  assert.equal((await again)['cursor'].firstBatch.length, 10);
  await server.db.command({ endSessions: [session.id] });
  const late = await serverError(
    server.db.command({ find: collection.collectionName, readConcern: { level: 'snapshot', atClusterTime: time } }),
  );
  assert.deepEqual([late.code, late.codeName], [239, 'SnapshotTooOld']);
  await session.endSession();
});

test('ends a snapshot in the middle of a read rather than return wrong data', async () => {
  const collection = await filled(2000);
  session = server.client.startSession({ snapshot: true });
  const cursor = collection.find({}, { session, batchSize: 10 });
  await cursor.next();
  const doomed = await filled(1);
  await doomed.drop();
  assert.equal((await serverError(cursor.toArray())).code, 239);
  await session.endSession();
});

test('ends snapshots that are not read for five minutes, and all of them if they use too much memory', () => {
  const { snapshots, transactions } = createEngine(new Store(':memory:'), 'rs0');
  const idle = snapshots.open(undefined);
  transactions.versions.record(1, 1, Buffer.alloc(1000));
  assert.ok(transactions.versions.bytes >= 1000);
  snapshots.reap();
  assert.equal(snapshots.at(idle.time), idle);
  snapshots.reap(Date.now() + 5 * 60_000 + 1000);
  assert.throws(() => snapshots.at(idle.time), { code: 239 });
  assert.equal(transactions.versions.bytes, 0);
  const large = snapshots.open(undefined);
  for (let rid = 1; rid <= 300; rid += 1) transactions.versions.record(1, rid, Buffer.alloc(1024 * 1024));
  snapshots.reap();
  assert.throws(() => snapshots.at(large.time), { code: 239 });
  assert.equal(transactions.versions.bytes, 0);
});
