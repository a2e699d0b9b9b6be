import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { MongoClient } from 'mongodb';
import { startTestDatabase } from '../testing/test-database.ts';
import type { ServiceContext } from '../context.ts';
import { applySchemaChanges, SchemaTooNewError, type SchemaChange } from './schema-changes.ts';

const server = await startTestDatabase();
const client = await new MongoClient(server.uri).connect();
after(async () => {
  await client.close();
  await server.close();
});

/** A replica of a service: its own log, and the database shared by all. */
function replicaOf(
  database: string,
  { log = [] as string[], release = '1.0.0', stopping = new AbortController().signal } = {},
): ServiceContext {
  const write = (_fields: object, message: string): number => log.push(message);
  return {
    db: client.db(database),
    stopping,
    settings: { SERVICE_VERSION: release },
    log: { info: write, warn: write },
  } as unknown as ServiceContext;
}

const count = (number: number, name = `change ${number}`): SchemaChange => ({
  number,
  name,
  up: async ({ db }) =>
    void (await db
      .collection<{ _id: number; times: number }>('made')
      .updateOne({ _id: number }, { $inc: { times: 1 } }, { upsert: true })),
});
const made = (database: string) => client.db(database).collection('made').find().sort({ _id: 1 }).toArray();

test('makes each change once, in order, and later only the new ones', async () => {
  const database = randomUUID();
  assert.deepEqual(await applySchemaChanges(replicaOf(database), [count(1), count(2)]), ['change 1', 'change 2']);
  assert.deepEqual(await applySchemaChanges(replicaOf(database), [count(1), count(2)]), []);
  assert.deepEqual(
    await applySchemaChanges(replicaOf(database, { release: '1.1.0' }), [count(1), count(2), count(3)]),
    ['change 3'],
  );
  assert.deepEqual(await made(database), [
    { _id: 1, times: 1 },
    { _id: 2, times: 1 },
    { _id: 3, times: 1 },
  ]);
  const kept = await client
    .db(database)
    .collection('schemaChanges')
    .find({}, { projection: { name: 1, release: 1 } })
    .sort({ _id: 1 })
    .toArray();
  assert.deepEqual(
    kept.map(({ _id, name, release }) => [Number(_id), name, release]),
    [
      [1, 'change 1', '1.0.0'],
      [2, 'change 2', '1.0.0'],
      [3, 'change 3', '1.1.0'],
    ],
  );
});

test('twelve replicas starting together make each change once', async () => {
  const database = randomUUID();
  const changes = [count(1), count(2), count(3)];
  const all = await Promise.all(Array.from({ length: 12 }, () => applySchemaChanges(replicaOf(database), changes)));
  assert.deepEqual(all.flat().toSorted(), ['change 1', 'change 2', 'change 3']);
  assert.deepEqual(await made(database), [
    { _id: 1, times: 1 },
    { _id: 2, times: 1 },
    { _id: 3, times: 1 },
  ]);
});

test('a change that failed half-way is run again before later ones', async () => {
  const database = randomUUID();
  let failing = true;
  const second: SchemaChange = {
    ...count(2),
    up: async (context) => {
      if (failing) throw new Error('disk full');
      await count(2).up(context);
    },
  };
  await assert.rejects(applySchemaChanges(replicaOf(database), [count(1), second, count(3)]), { message: 'disk full' });
  assert.deepEqual(await made(database), [{ _id: 1, times: 1 }]);
  failing = false;
  assert.deepEqual(await applySchemaChanges(replicaOf(database), [count(1), second, count(3)]), [
    'change 2',
    'change 3',
  ]);
  assert.deepEqual(await made(database), [
    { _id: 1, times: 1 },
    { _id: 2, times: 1 },
    { _id: 3, times: 1 },
  ]);
});

test('the lock of a replica that died expires', async () => {
  const database = randomUUID();
  const until = new Date(Date.now() + 700);
  await client
    .db(database)
    .collection<{ _id: string; holder: string; until: Date }>('locks')
    .insertOne({ _id: 'schema', holder: 'dead', until });
  assert.deepEqual(await applySchemaChanges(replicaOf(database), [count(1)]), ['change 1']);
  assert.ok(new Date() >= until, 'it did not wait for the holder');
});

test('an older release starts on a newer schema, unless it has a breaking change', async () => {
  const database = randomUUID();
  await applySchemaChanges(replicaOf(database), [count(1), count(2)]);
  assert.deepEqual(await applySchemaChanges(replicaOf(database), [count(1)]), []);
  await applySchemaChanges(replicaOf(database, { release: '2.0.0' }), [
    count(1),
    count(2),
    { ...count(3), breaking: true },
  ]);
  await assert.rejects(
    applySchemaChanges(replicaOf(database), [count(1), count(2)]),
    (error) => error instanceof SchemaTooNewError && error.message.includes("release 2.0.0 ('change 3')"),
  );
});

test('rejects a list of changes with a gap in the numbers', async () => {
  await assert.rejects(applySchemaChanges(replicaOf(randomUUID()), [count(1), count(3)]), {
    message: "The schema change 'change 3' has number 3 but must have 2",
  });
});

test('a service that stops while it waits for the lock gives up', async () => {
  const database = randomUUID();
  await client
    .db(database)
    .collection<{ _id: string; holder: string; until: Date }>('locks')
    .insertOne({ _id: 'schema', holder: 'busy', until: new Date(Date.now() + 60_000) });
  const stop = new AbortController();
  const starting = applySchemaChanges(replicaOf(database, { stopping: stop.signal }), [count(1)]);
  stop.abort();
  await assert.rejects(starting, { name: 'AbortError' });
  assert.deepEqual(await made(database), []);
});
