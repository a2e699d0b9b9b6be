import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { startServer } from '../index.ts';
import { startProcess, testFolder } from '../testing/harness.ts';
import { Random } from '../testing/random.ts';
import { Purge } from './purge.ts';
import { Store } from './store.ts';

const root = testFolder();

/** The files of a data directory that contain a text. */
function filesWith(dataDir: string, text: string): string[] {
  return readdirSync(dataDir).filter((name) => readFileSync(join(dataDir, name)).includes(text));
}

async function untilGone(dataDir: string, text: string): Promise<void> {
  const deadline = performance.now() + 90_000;
  while (filesWith(dataDir, text).length > 0) {
    assert.ok(performance.now() < deadline, `${text} is still in ${filesWith(dataDir, text).join(', ')}`);
    await delay(50);
  }
}

/** Inserts indexed records in random order, so that pages split and leave copies of moved data. */
async function fill(client: MongoClient): Promise<void> {
  const random = new Random(7);
  const records = client
    .db('clinic')
    .collection<{ _id: number; email: string; place: string; note: string }>('records');
  await records.createIndexes([
    { key: { place: 1 }, name: 'place' },
    { key: { email: 1 }, name: 'email', unique: true },
  ]);
  for (let part = 0; part < 20; part += 1) {
    await records.insertMany(
      Array.from({ length: 200 }, (_, at) => {
        const _id = part * 200 + at;
        const name = _id % 40 === 7 ? 'zebedee' : 'somebody';
        return {
          _id,
          email: `${name}${_id}@nowhere.example`,
          place: `${random.below(100_000)} ${name} street`,
          note: 'x'.repeat(300),
        };
      }),
    );
  }
}

test('deleted and replaced texts are purged from every file within seconds, including replies kept for retries', async (t) => {
  const dataDir = join(root, 'running');
  const server = await startServer({ dataDir, port: 0, keepAnswersMs: 0 });
  const client = new MongoClient(server.uri);
  t.after(async () => {
    await client.close();
    await server.close();
  });
  await fill(client);
  const records = client.db('clinic').collection<{ _id: number; email: string }>('records');
  const reading = records.find({}, { batchSize: 50 }).sort({ _id: 1 });
  await reading.next();
  assert.deepEqual(filesWith(dataDir, 'zebedee').length > 0, true);
  // The stored reply contains the record.
  assert.equal((await records.findOneAndDelete({ _id: 7 }))?.email, 'zebedee7@nowhere.example');
  assert.equal((await records.deleteMany({ _id: { $lt: 2_000 }, email: /^zebedee/ })).deletedCount, 49);
  const updates = (await records.find({ email: /^zebedee/ }).toArray()).map(({ _id }) => ({
    updateOne: { filter: { _id }, update: { $set: { email: `gone${_id}@nowhere.example`, place: 'nowhere' } } },
  }));
  assert.equal((await records.bulkWrite(updates)).modifiedCount, 50);
  await untilGone(dataDir, 'zebedee');
  // Other records, and a list being read, are unchanged.
  assert.equal(await records.countDocuments({ email: /^(?:somebody|gone)/ }), 3_950);
  assert.equal((await reading.toArray()).filter(({ email }) => email.startsWith('somebody')).length, 3_899);
});

test('a deleted record is overwritten, and a rewrite purges the copies in split pages', () => {
  const file = join(root, 'pages.sqlite');
  const store = new Store(file);
  const random = new Random(2);
  const count = 4_000;
  const isTheirs = (rid: number): boolean => rid % 2 === 1;
  store.begin();
  store.createCollectionTable(1);
  store.createIndexTable(1);
  // Keys of many lengths in random order split pages the most.
  const keys = Array.from({ length: count }, (_, rid) =>
    Buffer.from(`${random.below(1e9)} ${isTheirs(rid) ? 'zebedee' : 'somebody'} ${'s'.repeat(random.below(400))}`),
  );
  for (const [rid, key] of keys.entries()) {
    store.put(1, rid, Buffer.from(`${isTheirs(rid) ? 'zebedee' : 'somebody'} ${'x'.repeat(300)}`));
    store.addKey(1, key, rid);
  }
  store.commit();
  store.emptyLog();
  const copies = (): number => readFileSync(file, 'latin1').split('zebedee').length - 1;
  assert.ok(copies() > count);
  store.begin();
  for (const [rid, key] of keys.entries()) {
    if (!isTheirs(rid)) continue;
    store.remove(1, rid);
    store.removeKey(1, key, rid);
  }
  store.commit();
  store.emptyLog();
  const left = copies();
  assert.ok(left > 0 && left < 50, `${left} copies are left`);
  store.rewrite();
  assert.equal(copies(), 0);
  assert.equal(store.count('c1'), count / 2);
  store.close();
});

test('the next process purges what a killed one left in its log', async () => {
  const dataDir = join(root, 'killed');
  const first = await startProcess(dataDir);
  const client = new MongoClient(first.uri);
  const records = client.db('clinic').collection('records');
  await records.insertOne({ name: 'zebedee' });
  await records.deleteOne({ name: 'zebedee' });
  await first.kill();
  await client.close();
  assert.deepEqual(filesWith(dataDir, 'zebedee'), ['clinic.sqlite-wal']);
  const second = await startProcess(dataDir);
  await untilGone(dataDir, 'zebedee');
  assert.equal(await second.stop(), 0);
});

/** A store that counts its calls, with a configurable file size. */
class CountedStore extends Store {
  logs = 0;
  rewrites = 0;
  bytes = 1e6;
  fails = false;

  override size(): number {
    return this.bytes;
  }

  override emptyLog(): void {
    if (this.fails) throw new Error('the disk is full');
    this.logs += 1;
  }

  override rewrite(): void {
    this.rewrites += 1;
  }
}

/** A purge of such a store, with a clock in milliseconds since the last write. */
function setUp() {
  const store = new CountedStore(':memory:');
  const failures: unknown[] = [];
  const purge = new Purge(store, (error) => failures.push(error));
  const write = (at: number): void => {
    store.begin();
    store.commit();
    store.writtenAt = at;
  };
  return { store, purge, failures, write, done: () => [store.logs, store.rewrites] };
}
const start = 1_000_000;
const day = 24 * 3_600_000;

test('waits for a second without writes, ten seconds at most, and does nothing without writes', () => {
  const { purge, write, done } = setUp();
  write(start);
  purge.run(start + 900);
  assert.deepEqual(done(), [0, 0]);
  purge.run(start + 1_000);
  assert.deepEqual(done(), [1, 1]);
  purge.run(start + 60_000);
  assert.deepEqual(done(), [1, 1]);
  for (let at = 100_000; at < 125_000; at += 500) {
    write(start + at);
    purge.run(start + at);
  }
  assert.deepEqual(done(), [3, 3]);
});

test('rewrites a file that takes long once a day, but empties its log each time', () => {
  const { store, purge, write, done } = setUp();
  store.bytes = 1e9;
  for (const [at, expected] of [
    [0, [1, 1]],
    [3_600_000, [2, 1]],
    [7_200_000, [3, 1]],
    [day + 2_000, [4, 2]],
  ] as const) {
    // As slow as on a real disk, unlike this test's store.
    Reflect.set(purge, 'cost', 12 / 1e6);
    write(start + at);
    purge.run(start + at + 1_500);
    assert.deepEqual(done(), expected);
  }
});

test('a failed purge is reported and retried after a minute', () => {
  const { store, purge, failures, write, done } = setUp();
  store.fails = true;
  write(start);
  purge.run(start + 2_000);
  store.fails = false;
  purge.run(start + 30_000);
  assert.deepEqual([failures.length, done()], [1, [0, 0]]);
  purge.run(start + 62_000);
  assert.deepEqual([failures.length, done()], [1, [1, 1]]);
});
