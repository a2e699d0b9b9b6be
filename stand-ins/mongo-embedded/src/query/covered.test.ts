import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Double, type Document } from 'mongodb';
import { appointments, stages } from '../testing/appointments.ts';
import { startTestServer } from '../testing/harness.ts';

const server = await startTestServer();

test('reads no documents for a group whose fields an index has', async () => {
  const collection = await appointments(server);
  await collection.createIndex({ doctor: 1, status: 1, date: 1 }, { name: 'covering' });
  const pending = { doctor: { $in: ['d1', 'd2'] }, status: 'Pending', date: { $gte: '2030-01-20' } };
  const group = { $group: { _id: '$doctor', dates: { $push: '$date' } } };
  const explained = await collection.aggregate([{ $match: pending }, group]).explain();
  const [cursor] = explained['stages'] as Document[];
  assert.deepEqual(stages(cursor?.['$cursor'] as Document), ['PROJECTION_COVERED', 'IXSCAN covering forward']);
  assert.equal(cursor?.['$cursor'].executionStats.totalDocsExamined, 0);
  const read = (await collection.find(pending).sort({ doctor: 1, date: 1 }).toArray()).map(
    ({ doctor, date }) => `${doctor} ${date}`,
  );
  const grouped = (await collection.aggregate([{ $match: pending }, group]).toArray()).flatMap(({ _id, dates }) =>
    (dates as string[]).map((date) => `${_id} ${date}`),
  );
  assert.deepEqual(grouped, read);
});

test('gives the documents’ values from a covering index, whatever they are', async () => {
  const collection = server.fresh();
  const values = ['', 'é\u0000\u0001\u0002', 'a', 1, new Double(1), null, undefined, ['x'], { y: 'z' }];
  await collection.createIndex({ kind: 1, value: 1 }, { name: 'covering' });
  const pipeline = [{ $match: { kind: 'a' } }, { $group: { _id: '$kind', values: { $push: '$value' } } }];
  const all = values.filter((value) => !Array.isArray(value));
  await collection.insertMany(all.map((value) => ({ kind: 'a', ...(value !== undefined && { value }) })));
  const [group] = await collection.aggregate(pipeline).toArray();
  // In the index's order; the missing value isn't pushed.
  assert.deepEqual(group?.['values'], [null, 1, 1, '', 'a', 'é\u0000\u0001\u0002', { y: 'z' }]);
  // With an array the index has several entries for a document.
  await collection.insertOne({ kind: 'a', value: ['x', 'y'] });
  const [more] = await collection.aggregate(pipeline).toArray();
  assert.equal(more?.['values'].length, 8);
});

test('counts names that contain a text, within one status, from their index, whatever else is stored', async () => {
  const collection = server.fresh();
  const names = ['aqua', 'Qat', 'q\u0000', 'é q', '', 'bar', 7, null, undefined, /q/, { q: 'q' }];
  const records = names.flatMap((name, at) =>
    ['open', 'closed', 'aqua'].map((status) => ({
      _id: `q${at}${status}` as never,
      status,
      ...(name !== undefined && { name }),
    })),
  );
  await collection.insertMany(records);
  const filters = ['q', 'Q', 'a'].flatMap((text) =>
    ['open', 'aqua'].map((status) => ({ status, name: { $regex: text } })),
  );
  const count = () => Promise.all(filters.map((filter) => collection.countDocuments(filter)));
  const before = await count();
  assert.deepEqual(before.slice(0, 4), [4, 4, 1, 1]);
  await collection.createIndex({ status: 1, name: 1, _id: 1 });
  assert.deepEqual(await count(), before);
  const limited = await collection.countDocuments({ status: 'open', name: { $regex: 'q' } }, { skip: 1, limit: 2 });
  assert.equal(limited, 2);
  // With an array the index has several entries for a document.
  await collection.insertOne({ _id: 'array' as never, status: 'open', name: ['q', 'qq'] });
  assert.equal(await collection.countDocuments({ status: 'open', name: { $regex: 'q' } }), 5);
});

test('counts each entry of a covered group once, even if they are read in chunks', async () => {
  const collection = server.fresh();
  await collection.createIndex({ kind: 1, value: 1 }, { name: 'covering' });
  // The first 4,096 end inside the second interval.
  const values = Array.from({ length: 4_400 }, (_, at) => ({ kind: `k${at % 2}`, value: `v${at % 2_000}` }));
  await collection.insertMany(values);
  const groups = await collection
    .aggregate([
      { $match: { kind: { $in: ['k0', 'k1'] } } },
      { $group: { _id: '$kind', values: { $push: '$value' } } },
      { $sort: { _id: 1 } },
    ])
    .toArray();
  assert.deepEqual(
    groups.map(({ _id, values: found }) => [_id, (found as string[]).toSorted()]),
    ['k0', 'k1'].map((kind) => [
      kind,
      values
        .filter((each) => each.kind === kind)
        .map(({ value }) => value)
        .toSorted(),
    ]),
  );
});

test('reads a changed transaction’s own documents, not the index', async () => {
  const collection = server.fresh();
  await collection.createIndex({ kind: 1, value: 1 }, { name: 'covering' });
  await collection.insertMany([
    { kind: 'a', value: 'one' },
    { kind: 'a', value: 'two' },
  ]);
  const session = server.client.startSession();
  const pipeline = [{ $match: { kind: 'a' } }, { $group: { _id: '$kind', values: { $push: '$value' } } }];
  await session.withTransaction(async () => {
    await collection.updateOne({ value: 'two' }, { $set: { value: 'three' } }, { session });
    const [group] = await collection.aggregate(pipeline, { session }).toArray();
    assert.deepEqual(group?.['values'], ['one', 'three']);
  });
  await session.endSession();
});
