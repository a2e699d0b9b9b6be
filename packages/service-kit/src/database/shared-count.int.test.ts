import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '@clinic/mongo-embedded';
import { MongoClient, type Db } from 'mongodb';
import { waitUntil } from '../testing/wait-until.ts';
import { countIndexes, SharedCount } from './shared-count.ts';

test('the database purges ended counts, beside the index that the previous release creates at its start', async (t) => {
  const engine = await startServer({ port: 0, expireEveryMs: 50 });
  t.after(() => engine.close());
  await using client = new MongoClient(engine.uri);
  const counts = client.db('identity').collection<{ _id: string; resetAt: Date }>('counts');
  const previous = [{ key: { resetAt: 1 as const }, name: 'over' }];
  await counts.createIndexes(previous);
  await counts.createIndexes([...(countIndexes['counts'] ?? [])]);
  await counts.createIndexes(previous);
  await counts.insertMany([
    { _id: 'ended', resetAt: new Date(Date.now() - 1) },
    { _id: 'running', resetAt: new Date(Date.now() + 60_000) },
  ]);
  await waitUntil(async () => (await counts.countDocuments({ _id: 'ended' })) === 0);
  assert.deepEqual(
    (await counts.find().toArray()).map(({ _id }) => _id),
    ['running'],
  );
});

test('two replicas share a count of concurrent hits, and a hit that is taken back makes room for another', async (t) => {
  const engine = await startServer({ port: 0 });
  t.after(() => engine.close());
  await using client = new MongoClient(engine.uri);
  const db = client.db('shop');
  const [one, other] = [0, 1].map(() => new SharedCount({ db }, 'try', 5, 60_000));
  assert.ok(one && other);
  const hits = await Promise.all(
    Array.from({ length: 20 }, (_, at) => (at % 2 ? one : other).increment('203.0.113.7')),
  );
  assert.equal(hits.filter(({ totalHits }) => totalHits <= 5).length, 5);
  await db.collection<{ _id: string; hits: number }>('counts').updateMany({}, { $set: { hits: 5 } });
  await one.decrement('203.0.113.7');
  assert.equal((await one.increment('203.0.113.7')).totalHits, 5);
  // Its window has ended and the next has begun, or the purge was faster: nothing is owed to it.
  for (const hits of [0, undefined]) {
    await db.collection('counts').deleteMany({});
    if (hits !== undefined) {
      await one.increment('203.0.113.7');
      await db.collection<{ hits: number }>('counts').updateMany({}, { $set: { hits } });
    }
    await one.decrement('203.0.113.7');
    assert.equal((await one.increment('203.0.113.7')).totalHits, 1);
  }
  assert.doesNotMatch(JSON.stringify(await db.collection('counts').find().toArray()), /203\.0/);
});

test('a flood from more addresses than are remembered writes only for the rest, and ended windows make room', async () => {
  let writes = 0;
  let resetAt = new Date(0);
  const counts = {
    findOneAndUpdate: async () => {
      writes += 1;
      return { hits: 2, resetAt };
    },
  };
  const count = new SharedCount({ db: { collection: () => counts } as unknown as Db }, 'try', 1, 3_600_000);
  const remembered = 10_000;
  const rest = 50;
  /** @returns the writes of a hit from each address */
  const flood = async (from: string): Promise<number> => {
    const before = writes;
    for (let at = 0; at < remembered + rest; at += 1) await count.increment(`${from} ${at}`);
    return writes - before;
  };
  await flood('earlier');
  resetAt = new Date(Date.now() + 3_600_000);
  assert.equal(await flood('address'), remembered + rest);
  for (let round = 0; round < 2; round += 1) assert.equal(await flood('address'), rest);
});
