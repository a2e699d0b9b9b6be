import assert from 'node:assert/strict';
import type { Document } from 'mongodb';
import { bodyOf, numbers, type CommandTests } from './command-tests.ts';
import { serverError } from './harness.ts';

/** Tests of the commands about collections, indexes and databases. */
export const collectionCommands: CommandTests = {
  createIndexes: async (server) => {
    const collection = await numbers(server);
    const createIndexes = collection.collectionName;
    const create = (...indexes: Document[]): Promise<Document> => server.db.command({ createIndexes, indexes });
    assert.deepEqual(bodyOf(await create({ key: { n: 1, _id: -1 }, name: 'n' })), {
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
  listIndexes: async (server) => {
    const collection = await numbers(server);
    await collection.createIndex({ n: -1 }, { name: 'n', partialFilterExpression: { n: { $exists: true } } });
    assert.deepEqual(await collection.listIndexes().toArray(), [
      { v: 2, key: { _id: 1 }, name: '_id_' },
      { v: 2, key: { n: -1 }, name: 'n', partialFilterExpression: { n: { $exists: true } } },
    ]);
    assert.equal((await serverError(server.db.collection('nowhere').listIndexes().toArray())).code, 26);
  },
  dropIndexes: async (server) => {
    const collection = await numbers(server);
    await collection.createIndexes([{ key: { n: 1 } }, { key: { n: -1 } }, { key: { x: 1 } }, { key: { y: 1 } }]);
    await collection.dropIndex('n_1');
    await server.db.command({ dropIndexes: collection.collectionName, index: { n: -1 } });
    assert.equal((await collection.indexes()).length, 3);
    await collection.dropIndexes();
    assert.equal((await collection.indexes()).length, 1);
    assert.equal((await serverError(collection.dropIndex('none'))).code, 27);
    assert.equal((await serverError(collection.dropIndex('_id_'))).code, 72);
  },
  create: async (server) => {
    await server.db.createCollection('made');
    assert.equal((await serverError(server.db.createCollection('made'))).code, 48);
    for (const options of [
      { capped: true, size: 1000 },
      { validator: {} },
      { timeseries: { timeField: 't' } },
      { viewOn: 'made' },
      { collation: { locale: 'en' } },
    ]) {
      assert.equal(
        (await serverError(server.db.command({ create: 'other', ...options }))).code,
        115,
        JSON.stringify(options),
      );
    }
    assert.equal((await serverError(server.db.command({ create: 'a$b' }))).code, 73);
  },
  listCollections: async (server) => {
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
  drop: async (server) => {
    const collection = await numbers(server);
    await collection.drop();
    assert.equal(await collection.countDocuments(), 0);
    assert.equal(await collection.drop(), true);
  },
  dropDatabase: async (server) => {
    const db = server.client.db('dropped');
    await db.collection('one').insertOne({});
    await db.dropDatabase();
    assert.deepEqual(await db.listCollections().toArray(), []);
  },
  listDatabases: async (server) => {
    await server.client.db('another').collection('one').insertOne({});
    const { databases } = await server.client.db().admin().listDatabases();
    assert.ok(databases.some(({ name }) => name === 'another'));
  },
};
