import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer } from '@clinic/mongo-embedded';
import type { CommandStartedEvent, Db, MongoClient } from 'mongodb';
import { createClient } from '../database/database.ts';
import { shopService } from '../testing/shop-service.ts';
import { startTestDatabase, withUriOption } from '../testing/test-database.ts';
import { orderBody } from '../testing/shop-service.ts';
import { startTestService } from '../testing/index.ts';
import { holdPort } from '../testing/hold-port.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { ChangeFollower, followChanges, insertsInto, type FollowedChanges } from './follow-changes.ts';

/** Follows a collection until the test ends. */
function follow(client: MongoClient, name: string, more: Partial<FollowedChanges> = {}) {
  const stop = new AbortController();
  const log: string[] = [];
  const write = (_fields: object, message: string): number => log.push(message);
  const end = async (): Promise<void> => {
    stop.abort();
    await done;
  };
  const seen = { calls: 0, idle: 0, ids: [] as unknown[], log, [Symbol.asyncDispose]: end };
  const db = client.db(name);
  const done = followChanges(
    { db, stopping: stop.signal, log: { info: write, warn: write } as never },
    {
      what: 'pets',
      pipeline: [{ $match: { 'ns.coll': 'pets' } }],
      awaitMs: 200,
      changed: async () => {
        seen.calls += 1;
        seen.ids = (await db.collection('pets').find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
      },
      unchanged: () => (seen.idle += 1),
      ...more,
    },
  );
  return seen;
}

test('reads when the stream opens and after changes, and at no other time', async () => {
  await using database = await startTestDatabase();
  await using client = createClient(database.uri, 'test', { monitorCommands: true });
  const name = database.newName();
  const pets = client.db(name).collection<{ _id: number }>('pets');
  await pets.insertOne({ _id: 1 });
  await using seen = follow(client, name);
  await waitUntil(() => seen.calls === 1 && seen.idle > 0);
  assert.deepEqual(seen.ids, [1]);

  const commands: string[] = [];
  const listen = ({ commandName }: CommandStartedEvent): unknown => commands.push(commandName);
  client.on('commandStarted', listen);
  const idle = seen.idle;
  await waitUntil(() => seen.idle >= idle + 3);
  client.off('commandStarted', listen);
  assert.deepEqual([...new Set(commands)], ['getMore']);
  assert.ok(commands.length <= 6, `${commands.length} commands`);

  const calls = seen.calls;
  await client.db(name).collection('others').insertOne({});
  await pets.insertMany(Array.from({ length: 300 }, (_, _id) => ({ _id: _id + 2 })));
  await waitUntil(() => seen.ids.length === 301);
  assert.ok(seen.calls - calls <= 3, `a burst caused ${seen.calls - calls} reads`);
});

test('continues after its database was dropped', async () => {
  await using database = await startTestDatabase();
  await using client = createClient(database.uri, 'test');
  const name = database.newName();
  const pets = client.db(name).collection<{ _id: number }>('pets');
  await pets.insertOne({ _id: 1 });
  await using seen = follow(client, name);
  await waitUntil(() => seen.idle > 0);
  await client.db(name).dropDatabase();
  await waitUntil(() => seen.log.length > 0);
  const idle = seen.idle;
  await waitUntil(() => seen.idle >= idle + 2);
  await pets.insertOne({ _id: 2 });
  await waitUntil(() => seen.ids[0] === 2);
  assert.ok(seen.idle - idle < 30, 'it waits for changes');
});

test('misses nothing while the database restarts, or while its work fails', { timeout: 120_000 }, async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'clinic-follow-'));
  t.after(() => rmSync(dataDir, { recursive: true }));
  const port = await holdPort();
  let engine = await startServer({ port, dataDir });
  await using client = createClient(engine.uri, 'test');
  t.after(() => engine.close());
  const pets = client.db('x').collection<{ _id: number }>('pets');
  await pets.insertOne({ _id: 1 });
  let fails = false;
  const db = client.db('x');
  const ids: number[] = [];
  await using seen = follow(client, 'x', {
    changed: async () => {
      if (fails) throw new RangeError('on purpose');
      ids.splice(0, Infinity, ...(await db.collection<{ _id: number }>('pets').find().toArray()).map(({ _id }) => _id));
    },
  });
  await waitUntil(() => ids.length === 1);

  await engine.close();
  engine = await startServer({ port, dataDir });
  // Fails until the driver has found the database again.
  await waitUntil(() => pets.insertOne({ _id: 2 }));
  await waitUntil(() => ids.includes(2));

  fails = true;
  await pets.insertOne({ _id: 3 });
  await waitUntil(() => seen.log.length > 0);
  fails = false;
  await waitUntil(() => ids.includes(3));
  assert.deepEqual(seen.log.slice(-2), ['following changes failed, will retry', 'follows changes again']);
});

test('starts again if the history has been purged', { timeout: 120_000 }, async (t) => {
  const engine = await startServer({ port: 0, keepAnswersMs: 1 });
  await using client = createClient(engine.uri, 'test');
  t.after(() => engine.close());
  const pets = client.db('x').collection<{ _id: number }>('pets');
  const gone = Promise.withResolvers<void>();
  let held = Promise.resolve();
  await using seen = follow(client, 'x', {
    // Held until the server has purged its history.
    changed: async () => {
      await held;
      seen.ids = (await pets.find().toArray()).map(({ _id }) => _id);
    },
    awaitMs: 20,
  });
  await waitUntil(() => seen.idle > 0);
  held = gone.promise;
  const stream = pets.watch();
  await stream.tryNext();
  await pets.insertMany([{ _id: 1 }, { _id: 2 }]);
  await stream.next();
  await stream.next();
  const resumeAfter = stream.resumeToken;
  await stream.close();
  await client.db('x').collection('others').insertOne({});
  await waitUntil(async () => {
    await using again = pets.watch([], { resumeAfter });
    await assert.rejects(again.tryNext(), { codeName: 'ChangeStreamHistoryLost' });
  });
  gone.resolve();
  await waitUntil(() => seen.ids.length === 2);
  await pets.insertOne({ _id: 3 });
  await waitUntil(() => seen.ids.length === 3);
});

test('one change stream serves all listeners quickly, and ends with the last of them', async () => {
  await using database = await startTestDatabase();
  await using shop = await startTestService(shopService, {
    mongoUri: withUriOption(database.uri, 'monitorCommands', 'true'),
  });
  let opened = 0;
  let polls = 0;
  shop.client.on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'aggregate' && JSON.stringify(command['pipeline']).includes('$changeStream')) opened += 1;
    if (commandName === 'getMore') polls += 1;
  });
  const stop = new AbortController();
  const listeners = await Promise.all(
    Array.from({ length: 5 }, async (_, index) => {
      const response = await shop.as({ role: 'admin', email: `admin${index}@clinic.example` })('/orderMedi/changes', {
        signal: stop.signal,
      });
      assert.ok(response.body);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      return async (): Promise<void> => {
        while (!text.includes('listOrders')) text += (await reader.read()).value ?? '';
        text = '';
      };
    }),
  );
  await waitUntil(() => polls > 0);
  for (let round = 0; round < 5; round += 1) {
    const placed = await shop.as('patient')('/orderMedi', {
      method: 'POST',
      json: orderBody('patient@clinic.example'),
    });
    assert.equal(placed.status, 201);
    await Promise.all(listeners.map((received) => received()));
  }
  assert.equal(opened, 1);
  stop.abort();
  // It notices after five seconds without an event.
  const before = polls;
  await waitUntil(() => polls > before, 10_000).catch(() => undefined);
  const last = polls;
  await assert.rejects(waitUntil(() => polls > last, 6_000));
});

test('whoever comes while the stream is closing is told of changes', async () => {
  await using database = await startTestDatabase();
  await using client = createClient(database.uri, 'test');
  const name = database.newName();
  const pets = client.db(name).collection('pets');
  let needed = true;
  let calls = 0;
  /** Called once a stream has closed. */
  let closed = (): void => undefined;
  const db = {
    watch(...args: Parameters<Db['watch']>) {
      const stream = client.db(name).watch(...args);
      const close = stream.close.bind(stream);
      stream.close = () => close().then(() => closed());
      return stream;
    },
  };
  const stop = new AbortController();
  const follower = new ChangeFollower(
    { db: db as never, stopping: stop.signal, log: { info: () => undefined, warn: () => undefined } as never },
    {
      what: 'pets',
      pipeline: insertsInto('pets'),
      awaitMs: 50,
      isNeeded: () => needed,
      changed: () => Promise.resolve(void (calls += 1)),
    },
  );
  follower.follow();
  follower.follow();
  await waitUntil(() => calls === 1);

  const { promise: left, resolve } = Promise.withResolvers<void>();
  closed = () => {
    closed = () => undefined;
    needed = true;
    follower.follow();
    resolve();
  };
  needed = false;
  await left;
  await waitUntil(() => calls === 2);
  await pets.insertOne({});
  await waitUntil(() => calls === 3);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  closed = end;
  stop.abort();
  await ended;
});
