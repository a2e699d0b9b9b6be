import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Document } from 'mongodb';
import { appointments, stages } from '../testing/appointments.ts';
import { serverError, startTestServer } from '../testing/harness.ts';

const server = await startTestServer();

test('reads a keyset page from the index, without sorting and without reading more than the page', async () => {
  const collection = await appointments(server);
  const page = {
    $or: [{ date: { $gt: '2030-01-15' } }, { date: '2030-01-15', _id: { $gt: 105 as unknown as Document } }],
  };
  const explained = await collection
    .find(page as Document)
    .sort({ date: 1, _id: 1 })
    .limit(10)
    .explain();
  assert.deepEqual(stages(explained), ['FETCH', 'IXSCAN date forward']);
  assert.equal(explained['executionStats'].totalDocsExamined, 10);
  const backwards = await collection
    .find({ date: { $lte: '2030-01-15' } })
    .sort({ date: -1, _id: -1 })
    .limit(5)
    .explain();
  assert.deepEqual(stages(backwards), ['FETCH', 'IXSCAN date backward']);
  assert.equal(backwards['executionStats'].totalDocsExamined, 5);
});

test('uses one compound index for an equality and a sort, in either direction', async () => {
  const collection = await appointments(server);
  for (const sort of [
    { date: -1, _id: -1 },
    { date: 1, _id: 1 },
  ] as const) {
    const explained = await collection.find({ doctor: 'd1' }).sort(sort).limit(3).explain();
    assert.deepEqual(stages(explained), ['FETCH', `IXSCAN doctor ${sort.date === -1 ? 'forward' : 'backward'}`]);
    assert.equal(explained['executionStats'].totalKeysExamined, 3);
  }
  assert.deepEqual(stages(await collection.find({ doctor: 'd1' }).sort({ date: 1, _id: -1 }).explain())[0], 'SORT');
});

test('uses an index over an array for an equality and the order of the fields after it', async () => {
  const collection = await appointments(server);
  const explained = await collection.find({ people: 'p3' }).sort({ date: 1, _id: 1 }).limit(4).explain();
  assert.deepEqual(stages(explained), ['FETCH', 'IXSCAN people forward']);
  assert.equal(explained['executionStats'].totalDocsExamined, 4);
  assert.equal(stages(await collection.find({}).sort({ people: 1 }).explain())[0], 'SORT');
});

test('turns the fixed prefix of a regular expression into bounds', async () => {
  const collection = await appointments(server);
  const explained = await collection.find({ words: /^ann3/ }).explain();
  assert.deepEqual(stages(explained), ['FETCH', 'IXSCAN words forward']);
  assert.equal(explained['executionStats'].totalKeysExamined, explained['executionStats'].nReturned);
  assert.deepEqual(stages(await collection.find({ words: /^ann3/i }).explain()), ['COLLSCAN']);
});

test('finds documents without a field through its index', async () => {
  const collection = server.fresh();
  await collection.createIndexes([
    { key: { number: 1 }, name: 'number' },
    { key: { tags: 1 }, name: 'tags' },
  ]);
  await collection.insertMany([
    ...Array.from({ length: 300 }, (_, at) => ({ at, number: String(at), tags: ['a', 'b'] })),
    { at: 300, number: null, tags: [] },
    { at: 301, tags: ['a'] },
    { at: 302 },
  ]);
  const missing = collection.find({ number: { $exists: false } });
  assert.deepEqual(
    (await missing.clone().sort({ at: 1 }).toArray()).map((row) => row['at']),
    [301, 302],
  );
  const explained = await missing.explain();
  assert.deepEqual(stages(explained), ['FETCH', 'IXSCAN number forward']);
  assert.equal(explained['executionStats'].totalKeysExamined, 3);
  assert.equal(await collection.countDocuments({ number: { $exists: false } }), 2);
  // A missing element of an array has no key of its own.
  assert.deepEqual(
    (await collection.find({ tags: { $exists: false } }).toArray()).map((row) => row['at']),
    [302],
  );
});

test('uses a partial index only for filters that imply its condition', async () => {
  const collection = await appointments(server);
  const held = async (filter: Document): Promise<boolean> =>
    stages(await collection.find(filter).explain()).includes('IXSCAN held forward');
  assert.equal(await held({ doctor: 'd1', date: '2030-01-11', status: 'Pending' }), true);
  assert.equal(await held({ doctor: 'd1', date: '2030-01-11', status: { $in: ['Pending', 'Confirmed'] } }), true);
  assert.equal(await held({ doctor: 'd1', date: '2030-01-11', status: { $in: ['Pending', 'Cancelled'] } }), false);
  assert.equal(await held({ doctor: 'd1', date: '2030-01-11' }), false);
});

test('follows a hint, and rejects one that names no index', async () => {
  const collection = await appointments(server);
  assert.deepEqual(stages(await collection.find({ doctor: 'd1' }).hint('date').explain()), [
    'FETCH',
    'IXSCAN date forward',
  ]);
  assert.deepEqual(stages(await collection.find({ doctor: 'd1' }).hint({ date: 1, _id: 1 }).explain()), [
    'FETCH',
    'IXSCAN date forward',
  ]);
  assert.equal((await serverError(collection.find({}).hint('none').toArray())).code, 2);
});

test('prefers an index that selects few documents to one that gives the order', async () => {
  const collection = await appointments(server);
  await collection.insertOne({ doctor: 'd1', date: '2030-02-01', status: 'Pending', people: [], words: ['rare'] });
  const explained = await collection
    .find({ words: /^rare/, date: { $gte: '2030-01-01' } })
    .sort({ date: 1, _id: 1 })
    .explain();
  assert.deepEqual(stages(explained), ['SORT', 'FETCH', 'IXSCAN words forward']);
});
