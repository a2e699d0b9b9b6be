import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { type ChangeStream, type Collection, type Document, type ResumeToken } from 'mongodb';
import { serverError, startTestServer } from '../testing/harness.ts';

const stage = await startTestServer();
const streams: ChangeStream[] = [];
afterEach(async () => {
  for (const stream of streams.splice(0)) await stream.close();
});

/** Opens a stream and waits until the server has opened it. */
async function watch(
  parent: Pick<Collection, 'watch'>,
  pipeline: Document[] = [],
  options: Parameters<Collection['watch']>[1] = {},
): Promise<ChangeStream> {
  const stream = parent.watch(pipeline, { maxAwaitTimeMS: 200, ...options });
  streams.push(stream);
  await stream.tryNext();
  return stream;
}

/** The next events, without what differs in each run. */
async function next(stream: ChangeStream, count: number): Promise<Document[]> {
  const events: Document[] = [];
  while (events.length < count) {
    const { _id, clusterTime, wallTime, ...event } = (await stream.next()) as unknown as Document;
    assert.match((_id as { _data: string })._data, /^82[0-9A-F]+$/);
    assert.ok(clusterTime && wallTime instanceof Date);
    events.push(event);
  }
  return events;
}

const nothingMore = async (stream: ChangeStream): Promise<void> => assert.equal(await stream.tryNext(), null);

test('reports inserts, updates, replacements and deletions, as MongoDB describes them', async () => {
  const pets = stage.fresh();
  const ns = { db: 'clinic', coll: pets.collectionName };
  const stream = await watch(pets);
  const documentKey = { _id: 1 };
  await pets.insertOne({ _id: 1 as never, name: 'Rex', tags: ['a'], home: { town: 'x' } });
  await pets.updateOne(documentKey as never, {
    $set: { 'home.town': 'y', 'owner.name': 'Ann' },
    $unset: { name: '' },
    $inc: { age: 1 },
    $push: { tags: { $each: ['b', 'c'] } } as never,
  });
  await pets.updateOne(documentKey as never, { $addToSet: { tags: 'd' } as never });
  await pets.updateOne(documentKey as never, { $set: { age: 1 } });
  await pets.replaceOne(documentKey as never, { name: 'Max' });
  await pets.findOneAndUpdate(documentKey as never, { $set: { age: 2 } });
  await pets.updateOne({ _id: 2 as never }, { $set: { age: 3 } }, { upsert: true });
  await pets.deleteMany({});
  const updated = (updatedFields: Document, removedFields: string[] = []) => ({
    operationType: 'update',
    ns,
    documentKey,
    updateDescription: { updatedFields, removedFields, truncatedArrays: [] },
  });
  assert.deepEqual(await next(stream, 8), [
    {
      operationType: 'insert',
      fullDocument: { _id: 1, name: 'Rex', tags: ['a'], home: { town: 'x' } },
      ns,
      documentKey,
    },
    updated({ age: 1, 'home.town': 'y', owner: { name: 'Ann' }, 'tags.1': 'b', 'tags.2': 'c' }, ['name']),
    updated({ tags: ['a', 'b', 'c', 'd'] }),
    { operationType: 'replace', fullDocument: { _id: 1, name: 'Max' }, ns, documentKey },
    updated({ age: 2 }),
    { operationType: 'insert', fullDocument: { _id: 2, age: 3 }, ns, documentKey: { _id: 2 } },
    { operationType: 'delete', ns, documentKey },
    { operationType: 'delete', ns, documentKey: { _id: 2 } },
  ]);
  await nothingMore(stream);
});

test('a stream of a database sees all its collections, and filters', async () => {
  const [a, b] = [stage.fresh(), stage.fresh()];
  const other = stage.client.db('elsewhere').collection('x');
  const stream = await watch(stage.db as never, [
    { $match: { operationType: 'insert', 'fullDocument.keep': true } },
    { $project: { 'ns.coll': 1, 'fullDocument._id': 1 } },
  ]);
  await other.insertOne({ keep: true });
  await a.insertMany([
    { _id: 1 as never, keep: false },
    { _id: 2 as never, keep: true },
  ]);
  await b.insertOne({ _id: 3 as never, keep: true });
  const seen = [await stream.next(), await stream.next()] as unknown as Document[];
  assert.deepEqual(
    seen.map(({ ns, fullDocument }) => [ns.coll, fullDocument._id]),
    [
      [a.collectionName, 2],
      [b.collectionName, 3],
    ],
  );
  await nothingMore(stream);
});

test('reports a transaction’s changes at its commit, in order, with one time, and an aborted one’s never', async () => {
  const pets = stage.fresh();
  await pets.insertOne({ _id: 0 as never });
  const stream = await watch(pets);
  const session = stage.client.startSession();
  session.startTransaction();
  await pets.insertOne({ _id: 9 as never }, { session });
  await session.abortTransaction();
  session.startTransaction();
  await pets.insertOne({ _id: 1 as never, n: 1 }, { session });
  await pets.updateOne({ _id: 1 as never }, { $set: { n: 2 } }, { session });
  await pets.insertOne({ _id: 5 as never });
  await pets.deleteOne({ _id: 0 as never }, { session });
  await nextIs(stream, 'insert', 5);
  await session.commitTransaction();
  await session.endSession();
  const events = [await stream.next(), await stream.next(), await stream.next()] as unknown as Document[];
  assert.deepEqual(
    events.map(({ operationType, documentKey }) => [operationType, documentKey._id]),
    [
      ['insert', 1],
      ['update', 1],
      ['delete', 0],
    ],
  );
  assert.equal(events[0]?.['fullDocument'].n, 1);
  assert.equal(new Set(events.map(({ clusterTime }) => String(clusterTime))).size, 1);
  assert.equal(new Set(events.map(({ txnNumber }) => String(txnNumber))).size, 1);
  assert.ok(events.every(({ lsid }) => lsid.id));
});

async function nextIs(stream: ChangeStream, operationType: string, _id: unknown): Promise<void> {
  const event = (await stream.next()) as unknown as Document;
  assert.deepEqual([event['operationType'], event['documentKey']?._id], [operationType, _id]);
}

test('updateLookup adds the current document, or null if it has been deleted', async () => {
  const pets = stage.fresh();
  await pets.insertMany([{ _id: 1 as never }, { _id: 2 as never }]);
  const stream = await watch(pets, [], { fullDocument: 'updateLookup', maxAwaitTimeMS: 1 });
  await pets.updateMany({}, { $set: { n: 1 } });
  await pets.updateOne({ _id: 1 as never }, { $set: { n: 2 } });
  await pets.deleteOne({ _id: 2 as never });
  const events = (await next(stream, 4)).map(({ fullDocument }) => fullDocument as unknown);
  assert.deepEqual(events, [{ _id: 1, n: 2 }, null, { _id: 1, n: 2 }, undefined]);
});

test('resumes after a token, in batches of any size', async () => {
  const pets = stage.fresh();
  const stream = await watch(pets);
  await pets.insertMany(Array.from({ length: 1_200 }, (_, _id) => ({ _id: _id as never })));
  const tokens: ResumeToken[] = [];
  for (let at = 0; at < 1_200; at += 1) tokens.push((await stream.next())._id);
  const data = tokens.map((token) => (token as { _data: string })._data);
  assert.deepEqual(data, data.toSorted());
  for (const [from, batchSize] of [
    [0, 1],
    [1_190, 3],
    [100, 100],
    [1_198, 2],
  ] as const) {
    const again = pets.watch([], { resumeAfter: tokens[from], batchSize, maxAwaitTimeMS: 50 });
    streams.push(again);
    for (let at = from + 1; at < Math.min(from + 50, 1_200); at += 1)
      assert.equal(((await again.next()) as unknown as Document)['documentKey']._id, at);
    if (from > 1_150) await nothingMore(again);
  }
});

test('ends with invalidate when its collection is dropped, and startAfter continues from there', async () => {
  const pets = stage.fresh();
  await pets.insertOne({ _id: 1 as never });
  const stream = await watch(pets);
  const whole = await watch(stage.db as never, [{ $match: { 'ns.coll': pets.collectionName } }]);
  await pets.drop();
  const dropped = await stream.next();
  const ended = await stream.next();
  assert.deepEqual([dropped.operationType, ended.operationType], ['drop', 'invalidate']);
  await assert.rejects(async () => stream.next());
  assert.equal((await whole.next()).operationType, 'drop');
  await pets.insertOne({ _id: 2 as never });

  const error = await serverError(pets.watch([], { resumeAfter: ended._id }).next());
  assert.deepEqual([error.code, error.codeName], [260, 'InvalidResumeToken']);
  const again = pets.watch([], { startAfter: ended._id });
  streams.push(again);
  await nextIs(again, 'insert', 2);
  const between = pets.watch([], { resumeAfter: dropped._id });
  streams.push(between);
  assert.equal((await between.next()).operationType, 'invalidate');
  assert.equal((await whole.next()).operationType, 'insert');
});

test('a stream of a database ends when the database is dropped', async () => {
  const db = stage.client.db('short-lived');
  await db.collection('a').insertOne({});
  const stream = await watch(db as never);
  await db.dropDatabase();
  const events = [await stream.next(), await stream.next(), await stream.next()];
  assert.deepEqual(
    events.map(({ operationType }) => operationType),
    ['drop', 'dropDatabase', 'invalidate'],
  );
});

test('waits without polling, and receives a change at once', { timeout: 60_000 }, async () => {
  const pets = stage.fresh();
  const stream = pets.watch([], { maxAwaitTimeMS: 600_000 });
  streams.push(stream);
  const coming = stream.next();
  while (!stream.resumeToken) await new Promise((resolve) => setImmediate(resolve));
  await stage.fresh().insertOne({});
  await pets.insertOne({});
  await coming;
});

test('rejects what is outside the profile, and what MongoDB rejects', async () => {
  const pets = stage.fresh();
  const errors: [() => Promise<unknown>, number][] = [
    [() => pets.watch([{ $group: { _id: null } }]).next(), 115],
    [() => pets.watch([], { fullDocument: 'required' }).next(), 115],
    [() => stage.client.watch().next(), 115],
    [() => pets.watch([], { resumeAfter: { _data: 'nonsense' } }).next(), 40649],
    [() => pets.aggregate([{ $match: {} }, { $changeStream: {} }]).toArray(), 40602],
    [() => pets.watch([], { resumeAfter: { _data: '82FFFFFFFF0000000000' } }).next(), 286],
  ];
  for (const [call, code] of errors) assert.equal((await serverError(call())).code, code);
  const session = stage.client.startSession();
  await assert.rejects(
    session.withTransaction(() => pets.aggregate([{ $changeStream: {} }], { session }).toArray()),
    { code: 263 },
  );
  await session.endSession();
  const stream = await watch(pets, [{ $project: { _id: 0 } }]);
  await pets.insertOne({});
  assert.equal((await serverError(stream.next())).code, 280);
});
