import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Long, ObjectId } from 'mongodb';
import type { Collection, Document } from 'mongodb';
import { GENERIC_OPTIONS, PROFILE } from '../profile.ts';
import { serverError, startTestServer } from '../testing/harness.ts';
import type { TestServer } from '../testing/harness.ts';
import { connectRaw } from '../testing/raw-client.ts';
import { testRows } from '../testing/profile-rows.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const command = (body: Document): Promise<Document> => server.db.command(body);
const plain = (answer: Document): Document =>
  Object.fromEntries(Object.entries(answer).filter(([name]) => !['$clusterTime', 'operationTime'].includes(name)));

/** A collection of `{_id: 0…count-1, n: _id % 3}`. */
async function numbers(count = 6): Promise<Collection<Document>> {
  const collection = server.fresh();
  await collection.insertMany(Array.from({ length: count }, (_, n) => ({ _id: n, n: n % 3 }) as unknown as Document));
  return collection;
}

const ids = (documents: Document[]): unknown[] => documents.map(({ _id }) => _id as unknown);

testRows('command', {
  insert: async () => {
    const { collectionName: insert } = server.fresh();
    assert.equal((await command({ insert, documents: [{ _id: 1 }, { _id: 2, x: 1 }] }))['n'], 2);
    const ordered = await command({ insert, documents: [{ _id: 3 }, { _id: 1 }, { _id: 4 }] });
    assert.deepEqual(plain(ordered), {
      n: 1,
      ok: 1,
      writeErrors: [
        {
          index: 1,
          code: 11000,
          keyPattern: { _id: 1 },
          keyValue: { _id: 1 },
          errmsg: `E11000 duplicate key error collection: clinic.${insert} index: _id_ dup key: { _id: 1 }`,
        },
      ],
    });
    assert.equal((await command({ insert, documents: [{ _id: 1 }, { _id: 5 }], ordered: false }))['n'], 1);
    const [made] = await server.db
      .collection(insert)
      .find({ made: true })
      .toArray()
      .then(async () => {
        await command({ insert, documents: [{ made: true }] });
        return server.db.collection(insert).find({ made: true }).toArray();
      });
    assert.ok(made?._id instanceof ObjectId);
    assert.deepEqual(Object.keys(made), ['_id', 'made']);
    assert.equal((await command({ insert, documents: [{ _id: [1] }] }))['writeErrors'][0].code, 2);
  },
  find: async () => {
    const collection = await numbers();
    assert.deepEqual(ids(await collection.find({ n: 1 }).toArray()), [1, 4]);
    assert.deepEqual(ids(await collection.find({}).sort({ n: -1, _id: 1 }).skip(1).limit(3).toArray()), [5, 1, 4]);
    await collection.insertOne({ _id: 9, a: { b: 1, c: 2 }, l: [{ b: 1, c: 2 }, 3] } as unknown as Document);
    const projected = async (projection: Document): Promise<unknown> =>
      collection.findOne({ _id: 9 } as Document, { projection });
    assert.deepEqual(await projected({ 'a.b': 1, 'l.b': 1 }), { _id: 9, a: { b: 1 }, l: [{ b: 1 }] });
    assert.deepEqual(await projected({ _id: 0, 'a.b': 0, l: 0 }), { a: { c: 2 } });
    assert.equal((await serverError(projected({ a: 1, l: 0 }))).code, 31254);
    assert.equal((await serverError(projected({ l: { $slice: 1 } }))).code, 115);
    assert.deepEqual(await server.db.collection('nowhere').find({}).toArray(), []);
    assert.equal((await serverError(command({ find: collection.collectionName, sort: { n: 2 } }))).code, 15975);
    assert.equal((await serverError(collection.find({}, { collation: { locale: 'en' } }).toArray())).code, 115);
  },
  getMore: async () => {
    const collection = await numbers(300);
    const cursor = collection.find({}, { batchSize: 7 });
    assert.equal((await cursor.toArray()).length, 300);
    const first = await command({ find: collection.collectionName, batchSize: 0 });
    assert.deepEqual(first['cursor'].firstBatch, []);
    const more = await command({
      getMore: Long.fromBigInt(BigInt(first['cursor'].id as number)),
      collection: collection.collectionName,
      batchSize: 299,
    });
    assert.equal(more['cursor'].nextBatch.length, 299);
    assert.equal((await serverError(command({ getMore: Long.fromNumber(1), collection: 'x' }))).code, 43);
    const {
      cursor: { id },
    } = (await command({ find: collection.collectionName })) as { cursor: { id: number } };
    await collection.drop();
    assert.equal(
      (await serverError(command({ getMore: Long.fromBigInt(BigInt(id)), collection: collection.collectionName })))
        .code,
      43,
    );
  },
  killCursors: async () => {
    const collection = await numbers(200);
    const {
      cursor: { id },
    } = (await command({ find: collection.collectionName, batchSize: 2 })) as { cursor: { id: number } };
    const cursors = [Long.fromBigInt(BigInt(id)), Long.fromNumber(3)];
    const { cursorsKilled, cursorsNotFound } = await server.db.command(
      { killCursors: collection.collectionName, cursors },
      { promoteLongs: false },
    );
    assert.deepEqual([String(cursorsKilled), String(cursorsNotFound)], [String(cursors[0]), '3']);
  },
  update: async () => {
    const collection = await numbers();
    const update = collection.collectionName;
    assert.deepEqual(
      plain(
        await command({
          update,
          updates: [
            { q: { n: 0 }, u: { $set: { x: 1 } } },
            { q: { n: 1 }, u: { $set: { x: 2 } }, multi: true },
          ],
        }),
      ),
      { n: 3, nModified: 3, ok: 1 },
    );
    assert.deepEqual(
      plain(await command({ update, updates: [{ q: { _id: 77 }, u: { $set: { x: 1 } }, upsert: true }] })),
      { n: 1, nModified: 0, upserted: [{ index: 0, _id: 77 }], ok: 1 },
    );
    assert.equal((await collection.replaceOne({ _id: 77 } as Document, { y: 1 })).modifiedCount, 1);
    assert.deepEqual(await collection.findOne({ _id: 77 } as Document), { _id: 77, y: 1 });
    const failing = await command({ update, updates: [{ q: { _id: 0 }, u: { $set: { _id: 5 } } }] });
    assert.equal(failing['writeErrors'][0].code, 66);
    assert.equal((await command({ update, updates: [{ q: {}, u: { x: 1 }, multi: true }] }))['writeErrors'][0].code, 9);
    assert.equal(
      (await command({ update, updates: [{ q: {}, u: [{ $set: { x: 1 } }] }] }))['writeErrors'][0].code,
      115,
    );
    assert.equal(
      (await command({ update, updates: [{ q: {}, u: { $set: { x: 1 } }, collation: { locale: 'en' } }] }))[
        'writeErrors'
      ][0].code,
      115,
    );
    assert.equal((await collection.updateOne({}, { $set: { last: true } }, { sort: { _id: -1 } })).modifiedCount, 1);
    assert.deepEqual(ids(await collection.find({ last: true }).toArray()), [77]);
  },
  delete: async () => {
    const collection = await numbers();
    assert.equal((await collection.deleteOne({ n: 1 })).deletedCount, 1);
    assert.equal((await collection.deleteMany({ n: { $in: [0, 1] } })).deletedCount, 3);
    assert.deepEqual(ids(await collection.find({}).toArray()), [2, 5]);
    assert.equal(
      (await command({ delete: collection.collectionName, deletes: [{ q: {}, limit: 2 }] }))['writeErrors'][0].code,
      9,
    );
  },
  findAndModify: async () => {
    const collection = await numbers();
    assert.deepEqual(await collection.findOneAndUpdate({ n: 1 }, { $inc: { n: 10 } }, { sort: { _id: -1 } }), {
      _id: 4,
      n: 1,
    });
    assert.deepEqual(
      await collection.findOneAndUpdate(
        { _id: 4 } as Document,
        { $inc: { n: 1 } },
        { returnDocument: 'after', projection: { n: 1, _id: 0 } },
      ),
      { n: 12 },
    );
    assert.deepEqual(
      await collection.findOneAndReplace({ _id: 4 } as Document, { z: 1 }, { returnDocument: 'after' }),
      { _id: 4, z: 1 },
    );
    assert.deepEqual(await collection.findOneAndDelete({ _id: 4 } as Document), { _id: 4, z: 1 });
    assert.equal(await collection.findOneAndUpdate({ _id: 4 } as Document, { $set: { z: 1 } }), null);
    const { lastErrorObject, value } = await command({
      findAndModify: collection.collectionName,
      query: { _id: 40 },
      update: { $set: { z: 1 } },
      upsert: true,
      new: true,
    });
    assert.deepEqual(
      [lastErrorObject, value],
      [
        { n: 1, updatedExisting: false, upserted: 40 },
        { _id: 40, z: 1 },
      ],
    );
    assert.equal(
      (await serverError(command({ findAndModify: collection.collectionName, remove: true, new: true }))).code,
      9,
    );
  },
  count: async () => {
    const collection = await numbers();
    assert.equal(await collection.estimatedDocumentCount(), 6);
    assert.equal((await command({ count: collection.collectionName, query: { n: 1 } }))['n'], 2);
    assert.equal((await command({ count: collection.collectionName, skip: 1, limit: 3 }))['n'], 3);
    assert.equal((await command({ count: 'nowhere' }))['n'], 0);
  },
  distinct: async () => {
    const collection = await numbers();
    await collection.insertOne({ n: [2, 7, 1.0] });
    assert.deepEqual(await collection.distinct('n'), [0, 1, 2, 7]);
    assert.deepEqual(await collection.distinct('n', { n: { $lt: 1 } }), [0]);
  },
  aggregate: async () => {
    const collection = await numbers();
    assert.equal(await collection.countDocuments({ n: { $gte: 1 } }), 4);
    assert.deepEqual(await collection.aggregate([{ $match: { n: 1 } }]).toArray(), [
      { _id: 1, n: 1 },
      { _id: 4, n: 1 },
    ]);
    assert.equal((await collection.aggregate([{ $sort: { _id: 1 } }], { batchSize: 2 }).toArray()).length, 6);
    assert.equal((await serverError(server.db.aggregate([{ $documents: [] }]).toArray())).code, 115);
    assert.equal((await serverError(collection.aggregate([{ $lookup: {} }]).toArray())).code, 40324);
  },
  explain: async () => {
    const { collectionName: name } = await numbers();
    for (const inner of [
      { find: name, filter: { _id: 1 } },
      { aggregate: name, pipeline: [{ $match: { _id: 1 } }, { $count: 'n' }], cursor: {} },
      { count: name, query: { _id: 1 } },
      { distinct: name, key: 'n', query: { _id: 1 } },
      { update: name, updates: [{ q: { _id: 1 }, u: { $set: { x: 1 } } }] },
      { delete: name, deletes: [{ q: { _id: 1 }, limit: 1 }] },
      { findAndModify: name, query: { _id: 1 }, remove: true },
    ]) {
      const { queryPlanner, executionStats } = await command({ explain: inner, verbosity: 'executionStats' });
      assert.equal(queryPlanner.winningPlan.inputStage.indexName, '_id_', JSON.stringify(inner));
      assert.deepEqual([executionStats.nReturned, executionStats.totalDocsExamined], [1, 1]);
    }
    const { queryPlanner, executionStats } = await command({
      explain: { find: name, filter: { n: 1 }, sort: { n: 1 } },
      verbosity: 'queryPlanner',
    });
    assert.deepEqual(
      [queryPlanner.winningPlan, executionStats],
      [{ stage: 'SORT', inputStage: { stage: 'COLLSCAN', direction: 'forward' } }, undefined],
    );
    assert.equal(await server.db.collection(name).countDocuments({ x: 1 }), 0);
  },
  createIndexes: async () => {
    const collection = await numbers();
    const createIndexes = collection.collectionName;
    const create = (...indexes: Document[]): Promise<Document> => command({ createIndexes, indexes });
    assert.deepEqual(plain(await create({ key: { n: 1, _id: -1 }, name: 'n' })), {
      numIndexesBefore: 1,
      numIndexesAfter: 2,
      createdCollectionAutomatically: false,
      ok: 1,
    });
    assert.equal((await create({ key: { n: 1, _id: -1 }, name: 'n' }))['note'], 'all indexes already exist');
    assert.equal((await serverError(create({ key: { n: 1 }, name: 'n' }))).code, 86);
    assert.equal((await serverError(create({ key: { n: 1, _id: -1 }, name: 'other' }))).code, 85);
    assert.equal((await serverError(create({ key: { n: 1 }, name: 'unique', unique: true }))).code, 11000);
    assert.equal((await collection.indexes()).length, 2);
    for (const foreign of [
      { key: { n: 'text' } },
      { key: { n: 'hashed' } },
      { key: { n: 1 }, collation: { locale: 'en' } },
      { key: { n: 1 }, sparse: true },
    ]) {
      assert.equal((await serverError(create({ name: 'x', ...foreign }))).code, 115, JSON.stringify(foreign));
    }
    await create({ key: { n: 1 }, name: 'few', unique: true, partialFilterExpression: { n: { $gt: 5 } } });
    await collection.insertOne({ n: 6 });
    const error = await serverError(collection.insertOne({ n: 6 }));
    assert.deepEqual([error.code, error['keyPattern'], error['keyValue']], [11000, { n: 1 }, { n: 6 }]);
    assert.equal(
      (
        await serverError(
          create({ key: { a: 1, b: 1 }, name: 'ab' }).then(() => collection.insertOne({ a: [1], b: [2] })),
        )
      ).code,
      171,
    );
  },
  listIndexes: async () => {
    const collection = await numbers();
    await collection.createIndex({ n: -1 }, { name: 'n', partialFilterExpression: { n: { $exists: true } } });
    assert.deepEqual(await collection.listIndexes().toArray(), [
      { v: 2, key: { _id: 1 }, name: '_id_' },
      { v: 2, key: { n: -1 }, name: 'n', partialFilterExpression: { n: { $exists: true } } },
    ]);
    assert.equal((await serverError(server.db.collection('nowhere').listIndexes().toArray())).code, 26);
  },
  dropIndexes: async () => {
    const collection = await numbers();
    await collection.createIndexes([{ key: { n: 1 } }, { key: { n: -1 } }, { key: { x: 1 } }, { key: { y: 1 } }]);
    await collection.dropIndex('n_1');
    await command({ dropIndexes: collection.collectionName, index: { n: -1 } });
    assert.equal((await collection.indexes()).length, 3);
    await collection.dropIndexes();
    assert.equal((await collection.indexes()).length, 1);
    assert.equal((await serverError(collection.dropIndex('none'))).code, 27);
    assert.equal((await serverError(collection.dropIndex('_id_'))).code, 72);
  },
  create: async () => {
    await server.db.createCollection('made');
    assert.equal((await serverError(server.db.createCollection('made'))).code, 48);
    for (const options of [
      { capped: true, size: 1000 },
      { validator: {} },
      { timeseries: { timeField: 't' } },
      { viewOn: 'made' },
      { collation: { locale: 'en' } },
    ]) {
      assert.equal((await serverError(command({ create: 'other', ...options }))).code, 115, JSON.stringify(options));
    }
    assert.equal((await serverError(command({ create: 'a$b' }))).code, 73);
  },
  listCollections: async () => {
    const db = server.client.db('listed');
    await db.collection('one').insertOne({});
    await db.createCollection('two');
    assert.deepEqual(
      (await db.listCollections().toArray()).map(({ name, type }) => [name, type]),
      [
        ['one', 'collection'],
        ['two', 'collection'],
      ],
    );
    assert.deepEqual(await db.listCollections({ name: 'two' }, { nameOnly: true }).toArray(), [
      { name: 'two', type: 'collection' },
    ]);
  },
  drop: async () => {
    const collection = await numbers();
    await collection.drop();
    assert.equal(await collection.countDocuments(), 0);
    assert.equal(await collection.drop(), true);
  },
  dropDatabase: async () => {
    const db = server.client.db('dropped');
    await db.collection('one').insertOne({});
    await db.dropDatabase();
    assert.deepEqual(await db.listCollections().toArray(), []);
  },
  listDatabases: async () => {
    await server.client.db('another').collection('one').insertOne({});
    const { databases } = await server.client.db().admin().listDatabases();
    assert.ok(databases.some(({ name }) => name === 'another'));
  },
  commitTransaction: async () => {
    const collection = await numbers(1);
    await server.client.withSession((session) =>
      session.withTransaction(() => collection.insertOne({ _id: 'in' } as unknown as Document, { session })),
    );
    assert.equal(await collection.countDocuments(), 2);
    const raw = await connectRaw(server.server.uri);
    assert.equal((await raw.command({ commitTransaction: 1, $db: 'admin' }))['code'], 251);
    await raw.close();
  },
  abortTransaction: async () => {
    const collection = await numbers(1);
    const session = server.client.startSession();
    session.startTransaction();
    await collection.deleteMany({}, { session });
    await session.abortTransaction();
    assert.equal(await collection.countDocuments(), 1);
    await session.endSession();
  },
  endSessions: async () => {
    const { id } = server.client.startSession();
    assert.equal((await command({ endSessions: [id] }))['ok'], 1);
  },
  killSessions: async () => {
    const { id } = server.client.startSession();
    assert.equal((await command({ killSessions: [id] }))['ok'], 1);
  },
  killAllSessions: async () => {
    assert.equal((await command({ killAllSessions: [] }))['ok'], 1);
  },
  refreshSessions: async () => {
    const { id } = server.client.startSession();
    assert.equal((await command({ refreshSessions: [id] }))['ok'], 1);
  },
  hello: async () => {
    const hello = await command({ hello: 1 });
    assert.deepEqual(
      [hello['isWritablePrimary'], hello['setName'], hello['hosts'], hello['maxWireVersion']],
      [true, 'rs0', [`127.0.0.1:${server.server.port}`], 21],
    );
    assert.equal((await command({ isMaster: 1 }))['ismaster'], true);
  },
  ping: async () => {
    const { ok, operationTime, $clusterTime } = await command({ ping: 1 });
    assert.equal(ok, 1);
    assert.ok(operationTime && $clusterTime);
  },
  buildInfo: async () => {
    assert.equal((await command({ buildInfo: 1 }))['version'], '7.0.0');
  },
  getParameter: async () => {
    assert.deepEqual(
      (await command({ getParameter: 1, featureCompatibilityVersion: 1 }))['featureCompatibilityVersion'],
      { version: '7.0' },
    );
    assert.equal((await serverError(command({ getParameter: 1, internalQuery: 1 }))).code, 115);
  },
});

test('rejects commands outside the profile, and options that a command does not list', async () => {
  for (const name of ['bulkWrite', 'mapReduce', 'collMod', 'renameCollection', 'nonsense']) {
    const error = await serverError(command({ [name]: 'x' }));
    assert.equal(error.code, 59, name);
    assert.match(error.message, new RegExp(`'${name}'.*use a real MongoDB`));
  }
  for (const { name } of PROFILE.filter(({ kind }) => kind === 'command')) {
    if (name.endsWith('Transaction')) continue;
    const error = await serverError(command({ [name]: 'x', unheardOf: true }));
    assert.equal(error.code, 115, name);
    assert.match(
      error.message,
      /The option unheardOf of \w+ is outside the profile of the embedded database; use a real MongoDB/,
    );
  }
  assert.equal((await serverError(server.client.watch().next())).code, 115);
  const snapshot = server.client.startSession({ snapshot: true });
  assert.equal((await serverError(server.db.collection('x').aggregate([], { session: snapshot }).toArray())).code, 115);
  assert.equal((await serverError(server.db.collection('x').distinct('n', {}, { session: snapshot }))).code, 115);
  assert.equal(
    (await serverError(server.db.collection('x').findOne({}, { session: snapshot, sort: { n: 1 } }))).code,
    115,
  );
  await snapshot.endSession();
  assert.ok(GENERIC_OPTIONS.has('comment'));
});
