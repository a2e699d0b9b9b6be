import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Collection, Document, MongoServerError } from 'mongodb';
import { serverError, startTestServer } from '../testing/harness.ts';

const server = await startTestServer();

const id = (value: string): Document => ({ _id: value as unknown as Document });

async function accounts(): Promise<Collection<Document>> {
  const collection = server.fresh();
  await collection.insertMany([
    { ...id('a'), balance: 10 },
    { ...id('b'), balance: 20 },
  ]);
  return collection;
}

test('shows a transaction’s writes only to itself until it commits', async () => {
  const collection = await accounts();
  await collection.createIndex({ balance: 1 });
  const session = server.client.startSession();
  session.startTransaction();
  await collection.updateOne(id('a'), { $inc: { balance: 100 } }, { session });
  await collection.insertOne({ ...id('c'), balance: 15 }, { session });
  await collection.deleteOne(id('b'), { session });
  const balances = async (options: object): Promise<unknown[]> =>
    (await collection.find({}, options).sort({ balance: 1 }).toArray()).map(({ balance }) => balance as unknown);
  assert.deepEqual(await balances({ session }), [15, 110]);
  assert.deepEqual(await balances({}), [10, 20]);
  await session.commitTransaction();
  assert.deepEqual(await balances({}), [15, 110]);
  await session.endSession();
});

test('reads one snapshot, whatever others commit meanwhile', async () => {
  const collection = await accounts();
  const session = server.client.startSession();
  session.startTransaction();
  assert.equal((await collection.findOne(id('a'), { session }))?.['balance'], 10);
  await collection.updateMany({}, { $inc: { balance: 1 } });
  await collection.insertOne({ ...id('c'), balance: 0 });
  await collection.deleteOne(id('b'));
  assert.deepEqual(await collection.find({}, { session }).sort({ _id: 1 }).toArray(), [
    { _id: 'a', balance: 10 },
    { _id: 'b', balance: 20 },
  ]);
  assert.equal(await collection.countDocuments({ balance: { $gte: 10 } }, { session }), 2);
  await session.commitTransaction();
  assert.deepEqual(await collection.find({}).sort({ _id: 1 }).toArray(), [
    { _id: 'a', balance: 11 },
    { _id: 'c', balance: 0 },
  ]);
  await session.endSession();
});

test('lets the first of two writers win and makes the second retry', async () => {
  const collection = await accounts();
  const [first, second] = [server.client.startSession(), server.client.startSession()];
  first.startTransaction();
  second.startTransaction();
  await collection.updateOne(id('a'), { $inc: { balance: 1 } }, { session: first });
  const error = await serverError(collection.updateOne(id('a'), { $inc: { balance: 1 } }, { session: second }));
  assert.equal(error.code, 112);
  assert.equal(error.codeName, 'WriteConflict');
  assert.ok(error.hasErrorLabel('TransientTransactionError'));
  await first.commitTransaction();
  // The conflict has aborted the second transaction.
  const late = await serverError(collection.findOne({}, { session: second }));
  assert.equal(late.code, 251);
  assert.ok(late.hasErrorLabel('TransientTransactionError'));
  await second.abortTransaction();
  assert.equal((await collection.findOne(id('a')))?.['balance'], 11);
  await Promise.all([first.endSession(), second.endSession()]);
});

test('rejects overwriting what was committed after the snapshot', async () => {
  const collection = await accounts();
  const session = server.client.startSession();
  session.startTransaction();
  await collection.findOne({}, { session });
  await collection.updateOne(id('a'), { $set: { balance: 0 } });
  assert.equal((await serverError(collection.updateOne(id('a'), { $inc: { balance: 1 } }, { session }))).code, 112);
  await session.endSession();
  assert.equal((await collection.findOne(id('a')))?.['balance'], 0);
});

test('lets a writer outside transactions wait for the transaction that holds the document', async () => {
  const collection = await accounts();
  const session = server.client.startSession();
  session.startTransaction();
  await collection.updateOne(id('a'), { $set: { balance: 50 } }, { session });
  const order: string[] = [];
  const waiting = collection.updateMany({ balance: { $gte: 0 } }, { $inc: { balance: 1 } }).then((result) => {
    order.push('waited');
    return result;
  });
  // A command on another connection isn't held up.
  assert.equal((await collection.findOne(id('b')))?.['balance'], 20);
  await session.commitTransaction();
  order.push('committed');
  assert.equal((await waiting).modifiedCount, 2);
  assert.deepEqual(order, ['committed', 'waited']);
  assert.deepEqual(
    (await collection.find({}).sort({ _id: 1 }).toArray()).map(({ balance }) => balance as unknown),
    [51, 21],
  );
  await session.endSession();
});

test('applies a waiting command only when it can complete', async () => {
  const collection = await accounts();
  await collection.createIndex({ slot: 1 }, { unique: true, partialFilterExpression: { slot: { $exists: true } } });
  const session = server.client.startSession();
  session.startTransaction();
  await collection.insertOne({ slot: 'taken' }, { session });
  const waiting = collection
    .insertMany([{ slot: 'first' }, { slot: 'taken' }, { slot: 'last' }], { ordered: false })
    .catch((error: MongoServerError) => error.code);
  // The command has been tried before this reply.
  assert.equal(await collection.countDocuments({ slot: 'first' }), 0);
  assert.equal(await collection.estimatedDocumentCount(), 2);
  await session.commitTransaction();
  assert.equal(await waiting, 11000);
  assert.equal(await collection.estimatedDocumentCount(), 5);
  assert.equal((await collection.find({}).toArray()).length, 5);
  await session.endSession();
});

test('gives up waiting at maxTimeMS', async () => {
  const collection = await accounts();
  const session = server.client.startSession();
  session.startTransaction();
  await collection.updateOne(id('a'), { $set: { balance: 50 } }, { session });
  assert.equal((await serverError(collection.updateOne(id('a'), { $inc: { balance: 1 } }, { maxTimeMS: 5 }))).code, 50);
  await session.commitTransaction();
  assert.equal((await collection.findOne(id('a')))?.['balance'], 50);
  await session.endSession();
});

test('lets exactly one of many racing inserts have a unique key, inside and outside transactions', async () => {
  const collection = server.fresh();
  await collection.createIndex({ slot: 1 }, { unique: true });
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0
        ? collection.insertOne({ slot: 'nine', n })
        : server.client.withSession((session) =>
            session.withTransaction(() => collection.insertOne({ slot: 'nine', n }, { session })),
          ),
    ),
  );
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.deepEqual(
    new Set(
      results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as MongoServerError).code] : [])),
    ),
    new Set([11000]),
  );
  assert.equal((await collection.find({}).toArray()).length, 1);
});

test('guards unique keys across transactions', async () => {
  const collection = await accounts();
  await collection.createIndex({ slot: 1 }, { unique: true, partialFilterExpression: { slot: { $exists: true } } });
  const [first, second] = [server.client.startSession(), server.client.startSession()];
  first.startTransaction();
  second.startTransaction();
  await collection.insertOne({ slot: 's1' }, { session: first });
  assert.equal((await serverError(collection.insertOne({ slot: 's1' }, { session: second }))).code, 112);
  const outside = collection.insertOne({ slot: 's1' }).catch((error: MongoServerError) => error.code);
  await first.commitTransaction();
  assert.equal(await outside, 11000);

  first.startTransaction();
  await collection.deleteOne({ slot: 's1' }, { session: first });
  await collection.insertOne({ slot: 's1', again: true }, { session: first });
  assert.equal((await serverError(collection.insertOne({ slot: 's1' }, { session: first }))).code, 11000);
  // An error inside a transaction aborts it.
  assert.equal((await serverError(first.commitTransaction())).code, 251);
  assert.equal(await collection.countDocuments({ slot: 's1', again: true }), 0);
  assert.equal(await collection.countDocuments({ slot: 's1' }), 1);
  await Promise.all([first.endSession(), second.endSession()]);
});

test('retries conflicting transactions until each is applied', async () => {
  const collection = await accounts();
  await Promise.all(
    Array.from({ length: 8 }, () =>
      server.client.withSession((session) =>
        session.withTransaction(async () => {
          const doc = await collection.findOne(id('a'), { session });
          await collection.updateOne(id('a'), { $set: { balance: (doc?.['balance'] as number) + 1 } }, { session });
        }),
      ),
    ),
  );
  assert.equal((await collection.findOne(id('a')))?.['balance'], 18);
});

test('commits once, however often commit is sent, and aborts without effect', async () => {
  const collection = await accounts();
  const session = server.client.startSession();
  session.startTransaction();
  await collection.updateOne(id('a'), { $inc: { balance: 1 } }, { session });
  await session.commitTransaction();
  await session.commitTransaction();
  assert.equal((await collection.findOne(id('a')))?.['balance'], 11);
  session.startTransaction();
  await collection.updateOne(id('a'), { $inc: { balance: 1 } }, { session });
  await session.abortTransaction();
  assert.equal((await collection.findOne(id('a')))?.['balance'], 11);
  await session.endSession();
});

test('keeps the cursor of a transaction on its snapshot', async () => {
  const collection = server.fresh();
  await collection.insertMany(Array.from({ length: 30 }, (_, n) => ({ n })));
  const session = server.client.startSession();
  session.startTransaction();
  const cursor = collection.find({}, { session, batchSize: 5 });
  await cursor.next();
  await collection.deleteMany({});
  assert.equal((await cursor.toArray()).length, 29);
  await session.commitTransaction();
  await session.endSession();
});

test('rejects in a transaction what MongoDB or the profile doesn’t support there', async () => {
  const collection = await accounts();
  const session = server.client.startSession();
  const attempt = async (command: Document): Promise<MongoServerError> => {
    session.startTransaction();
    await collection.findOne({}, { session });
    const error = await serverError(server.db.command(command, { session }));
    await session.abortTransaction();
    return error;
  };
  assert.equal((await attempt({ count: collection.collectionName })).code, 263);
  assert.equal((await attempt({ create: 'another' })).code, 115);
  assert.equal(
    (await attempt({ createIndexes: collection.collectionName, indexes: [{ key: { x: 1 }, name: 'x' }] })).code,
    115,
  );
  await session.endSession();
});

test('ends the transactions of sessions that are killed', async () => {
  const collection = await accounts();
  const session = server.client.startSession();
  session.startTransaction();
  await collection.updateOne(id('a'), { $set: { balance: 0 } }, { session });
  const waiting = collection.updateOne(id('a'), { $inc: { balance: 1 } });
  await server.db.admin().command({ killAllSessions: [] });
  await waiting;
  assert.equal((await serverError(session.commitTransaction())).code, 251);
  assert.equal((await collection.findOne(id('a')))?.['balance'], 11);
  await session.endSession();
});

test('makes a drop wait until no transaction uses the collection', async () => {
  const collection = await accounts();
  const session = server.client.startSession();
  session.startTransaction();
  await collection.insertOne(id('z'), { session });
  const dropped = collection.drop();
  await session.commitTransaction();
  await dropped;
  assert.equal(await collection.countDocuments(), 0);
  await session.endSession();
});
