import assert from 'node:assert/strict';
import { Long, type Document } from 'mongodb';
import { ids, numbers, type CommandTests } from './command-tests.ts';
import { serverError } from './harness.ts';

/** Tests of the commands that read documents. */
export const queryCommands: CommandTests = {
  find: async (server) => {
    const collection = await numbers(server);
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
    assert.equal(
      (await serverError(server.db.command({ find: collection.collectionName, sort: { n: 2 } }))).code,
      15975,
    );
    assert.equal((await serverError(collection.find({}, { collation: { locale: 'en' } }).toArray())).code, 115);
  },
  getMore: async (server) => {
    const collection = await numbers(server, 300);
    const cursor = collection.find({}, { batchSize: 7 });
    assert.equal((await cursor.toArray()).length, 300);
    const first = await server.db.command({ find: collection.collectionName, batchSize: 0 });
    assert.deepEqual(first['cursor'].firstBatch, []);
    const more = await server.db.command({
      getMore: Long.fromBigInt(BigInt(first['cursor'].id as number)),
      collection: collection.collectionName,
      batchSize: 299,
    });
    assert.equal(more['cursor'].nextBatch.length, 299);
    assert.equal((await serverError(server.db.command({ getMore: Long.fromNumber(1), collection: 'x' }))).code, 43);
    const {
      cursor: { id },
    } = (await server.db.command({ find: collection.collectionName })) as { cursor: { id: number } };
    await collection.drop();
    assert.equal(
      (
        await serverError(
          server.db.command({ getMore: Long.fromBigInt(BigInt(id)), collection: collection.collectionName }),
        )
      ).code,
      43,
    );
  },
  killCursors: async (server) => {
    const collection = await numbers(server, 200);
    const {
      cursor: { id },
    } = (await server.db.command({ find: collection.collectionName, batchSize: 2 })) as { cursor: { id: number } };
    const cursors = [Long.fromBigInt(BigInt(id)), Long.fromNumber(3)];
    const { cursorsKilled, cursorsNotFound } = await server.db.command(
      { killCursors: collection.collectionName, cursors },
      { promoteLongs: false },
    );
    assert.deepEqual([String(cursorsKilled), String(cursorsNotFound)], [String(cursors[0]), '3']);
  },
  count: async (server) => {
    const collection = await numbers(server);
    assert.equal(await collection.estimatedDocumentCount(), 6);
    assert.equal((await server.db.command({ count: collection.collectionName, query: { n: 1 } }))['n'], 2);
    assert.equal((await server.db.command({ count: collection.collectionName, skip: 1, limit: 3 }))['n'], 3);
    assert.equal((await server.db.command({ count: 'nowhere' }))['n'], 0);
  },
  distinct: async (server) => {
    const collection = await numbers(server);
    await collection.insertOne({ n: [2, 7, 1.0] });
    assert.deepEqual(await collection.distinct('n'), [0, 1, 2, 7]);
    assert.deepEqual(await collection.distinct('n', { n: { $lt: 1 } }), [0]);
  },
  aggregate: async (server) => {
    const collection = await numbers(server);
    assert.equal(await collection.countDocuments({ n: { $gte: 1 } }), 4);
    assert.deepEqual(await collection.aggregate([{ $match: { n: 1 } }]).toArray(), [
      { _id: 1, n: 1 },
      { _id: 4, n: 1 },
    ]);
    assert.equal((await collection.aggregate([{ $sort: { _id: 1 } }], { batchSize: 2 }).toArray()).length, 6);
    assert.equal((await serverError(server.db.aggregate([{ $documents: [] }]).toArray())).code, 115);
    assert.equal((await serverError(collection.aggregate([{ $lookup: {} }]).toArray())).code, 40324);
  },
  explain: async (server) => {
    const { collectionName: name } = await numbers(server);
    for (const inner of [
      { find: name, filter: { _id: 1 } },
      { aggregate: name, pipeline: [{ $match: { _id: 1 } }, { $count: 'n' }], cursor: {} },
      { count: name, query: { _id: 1 } },
      { distinct: name, key: 'n', query: { _id: 1 } },
      { update: name, updates: [{ q: { _id: 1 }, u: { $set: { x: 1 } } }] },
      { delete: name, deletes: [{ q: { _id: 1 }, limit: 1 }] },
      { findAndModify: name, query: { _id: 1 }, remove: true },
    ]) {
      const { queryPlanner, executionStats } = await server.db.command({ explain: inner, verbosity: 'executionStats' });
      assert.equal(queryPlanner.winningPlan.inputStage.indexName, '_id_', JSON.stringify(inner));
      assert.deepEqual([executionStats.nReturned, executionStats.totalDocsExamined], [1, 1]);
    }
    const { queryPlanner, executionStats } = await server.db.command({
      explain: { find: name, filter: { n: 1 }, sort: { n: 1 } },
      verbosity: 'queryPlanner',
    });
    assert.deepEqual(
      [queryPlanner.winningPlan, executionStats],
      [{ stage: 'SORT', inputStage: { stage: 'COLLSCAN', direction: 'forward' } }, undefined],
    );
    assert.equal(await server.db.collection(name).countDocuments({ x: 1 }), 0);
  },
};
