import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { MongoClient, type Collection, type Document } from 'mongodb';
import { startServer } from '../server/server.ts';
import { serverError, testFolder } from '../testing/harness.ts';

const folder = testFolder();

interface Ticket {
  _id: string | number;
  at?: unknown;
  kind?: string;
}

async function open(t: TestContext, expireEveryMs: number | undefined, dataDir?: string) {
  const server = await startServer({ port: 0, expireEveryMs, ...(dataDir !== undefined && { dataDir }) });
  const client = new MongoClient(server.uri);
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= client.close().then(() => server.close()));
  t.after(close);
  return { client, tickets: client.db('clinic').collection<Ticket>('tickets'), close };
}

const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1_000);
const ids = async (collection: Collection<Ticket>): Promise<unknown[]> =>
  (await collection.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);

/** Waits until only these documents are left. */
async function until(collection: Collection<Ticket>, left: readonly unknown[]): Promise<void> {
  const began = performance.now();
  for (;;) {
    const now = await ids(collection);
    if (now.length <= left.length || performance.now() - began > 90_000) return assert.deepEqual(now, left);
  }
}

test('deletes documents whose date, or the earliest of several, has passed, and nothing else', async (t) => {
  const { tickets } = await open(t, 20);
  await tickets.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
  await tickets.insertMany([
    { _id: 'a fresh', at: ago(30) },
    { _id: 'b old', at: ago(61) },
    { _id: 'c one of several', at: [ago(-60), ago(100)] },
    { _id: 'd several fresh', at: [ago(0), ago(10)] },
    { _id: 'e without' },
    { _id: 'f null', at: null },
    { _id: 'g number', at: 5 },
    { _id: 'h text', at: '1970-01-01' },
    { _id: 'i before 1970', at: new Date(-1) },
  ]);
  await until(tickets, ['a fresh', 'd several fresh', 'e without', 'f null', 'g number', 'h text']);
  const count = tickets.find({ at: { $gte: new Date(0) } });
  assert.equal((await count.toArray()).length, 2);
});

test('respects the filter of a partial index, and deletes at once with 0 seconds', async (t) => {
  const { tickets } = await open(t, 20);
  await tickets.createIndex({ at: -1 }, { expireAfterSeconds: 0, partialFilterExpression: { kind: 'paper' } });
  await tickets.insertMany([
    { _id: 'a', at: ago(1), kind: 'paper' },
    { _id: 'b', at: ago(1), kind: 'pass' },
    { _id: 'c', at: ago(-60), kind: 'paper' },
  ]);
  await until(tickets, ['b', 'c']);
});

test('deletes a backlog in rounds, visible to change streams', async (t) => {
  const { tickets } = await open(t, 20);
  const stream = tickets.watch([{ $match: { operationType: 'delete' } }], { maxAwaitTimeMS: 50 });
  await stream.tryNext();
  await tickets.insertMany(Array.from({ length: 1_300 }, (_, _id) => ({ _id, at: ago(10) })));
  await tickets.createIndex({ at: 1 }, { expireAfterSeconds: 5 });
  const deleted = new Set<unknown>();
  while (deleted.size < 1_300) deleted.add(((await stream.next()) as Document)['documentKey']._id);
  assert.deepEqual(await ids(tickets), []);
  await stream.close();
});

test('waits for a transaction that holds the document', async (t) => {
  const { client, tickets } = await open(t, 20);
  await tickets.insertMany([{ _id: 'a' }, { _id: 'b', at: ago(10) }]);
  const session = client.startSession();
  session.startTransaction();
  await tickets.updateOne({ _id: 'b' }, { $set: { at: ago(-60) } }, { session });
  await client.db('clinic').collection<Ticket>('others').createIndex({ at: 1 }, { expireAfterSeconds: 1 });
  await session.commitTransaction();
  await tickets.createIndex({ at: 1 }, { expireAfterSeconds: 1 });
  session.startTransaction();
  await tickets.updateOne({ _id: 'b' }, { $set: { at: ago(10) } }, { session });
  await client
    .db('clinic')
    .collection<Ticket>('others')
    .insertOne({ _id: 'x', at: ago(10) });
  await until(client.db('clinic').collection<Ticket>('others'), []);
  assert.deepEqual(await ids(tickets), ['a', 'b']);
  await session.commitTransaction();
  await session.endSession();
  await until(tickets, ['a']);
});

test('keeps the index across a restart, and lists it as MongoDB does', async (t) => {
  const before = await open(t, undefined, folder);
  await before.tickets.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
  await before.tickets.insertOne({ _id: 'old', at: ago(61) });
  await before.close();
  const { tickets } = await open(t, 20, folder);
  await until(tickets, []);
  assert.deepEqual((await tickets.listIndexes().toArray())[1], {
    v: 2,
    key: { at: 1 },
    name: 'at_1',
    expireAfterSeconds: 60,
  });
});

test('rejects what MongoDB rejects', async (t) => {
  const { tickets } = await open(t, undefined);
  const make = (key: Document, expireAfterSeconds: unknown): Promise<unknown> =>
    tickets.createIndex(key as never, { expireAfterSeconds: expireAfterSeconds as number });
  await make({ at: 1 }, 60);
  assert.equal(await make({ at: 1 }, 60), 'at_1');
  for (const [key, seconds, code] of [
    [{ at: 1, kind: 1 }, 60, 67],
    [{ at: 1 }, 61, 86],
    [{ _id: 1 }, 60, 197],
    [{ kind: 1 }, -1, 67],
    [{ kind: 1 }, 2 ** 31, 67],
    [{ kind: 1 }, 'soon', 14],
  ] as const)
    assert.equal((await serverError(make(key, seconds))).code, code, JSON.stringify([key, seconds]));
});
