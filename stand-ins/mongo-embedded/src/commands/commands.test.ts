import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ObjectId } from 'mongodb';
import type { Document } from 'mongodb';
import { GENERIC_OPTIONS, PROFILE } from '../profile.ts';
import { serverError, startTestServer } from '../testing/harness.ts';
import { connectRaw } from '../testing/raw-client.ts';
import { testRows } from '../testing/profile-rows.ts';
import { collectionCommands } from '../testing/collection-commands.ts';
import { bodyOf, ids, numbers, onServer } from '../testing/command-tests.ts';
import { queryCommands } from '../testing/query-commands.ts';

const server = await startTestServer();

const command = (body: Document): Promise<Document> => server.db.command(body);
testRows('command', {
  ...onServer(server, { ...queryCommands, ...collectionCommands }),
  insert: async () => {
    const { collectionName: insert } = server.fresh();
    assert.equal((await command({ insert, documents: [{ _id: 1 }, { _id: 2, x: 1 }] }))['n'], 2);
    const ordered = await command({ insert, documents: [{ _id: 3 }, { _id: 1 }, { _id: 4 }] });
    assert.deepEqual(bodyOf(ordered), {
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
  update: async () => {
    const collection = await numbers(server);
    const update = collection.collectionName;
    assert.deepEqual(
      bodyOf(
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
      bodyOf(await command({ update, updates: [{ q: { _id: 77 }, u: { $set: { x: 1 } }, upsert: true }] })),
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
    const collection = await numbers(server);
    assert.equal((await collection.deleteOne({ n: 1 })).deletedCount, 1);
    assert.equal((await collection.deleteMany({ n: { $in: [0, 1] } })).deletedCount, 3);
    assert.deepEqual(ids(await collection.find({}).toArray()), [2, 5]);
    assert.equal(
      (await command({ delete: collection.collectionName, deletes: [{ q: {}, limit: 2 }] }))['writeErrors'][0].code,
      9,
    );
  },
  findAndModify: async () => {
    const collection = await numbers(server);
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
  commitTransaction: async () => {
    const collection = await numbers(server, 1);
    await server.client.withSession((session) =>
      session.withTransaction(() => collection.insertOne({ _id: 'in' } as unknown as Document, { session })),
    );
    assert.equal(await collection.countDocuments(), 2);
    const raw = await connectRaw(server.server.uri);
    assert.equal((await raw.command({ commitTransaction: 1, $db: 'admin' }))['code'], 251);
    await raw.close();
  },
  abortTransaction: async () => {
    const collection = await numbers(server, 1);
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
