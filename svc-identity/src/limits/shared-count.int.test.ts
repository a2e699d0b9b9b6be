import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '@clinic/mongo-embedded';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { MongoClient } from 'mongodb';
import { countIndexes } from './shared-count.ts';

test('the database purges ended counts, beside the index that the previous release creates at its start', async (t) => {
  const engine = await startServer({ port: 0, expireEveryMs: 50 });
  const client = new MongoClient(engine.uri);
  t.after(async () => {
    await client.close();
    await engine.close();
  });
  const counts = client.db('identity').collection<{ _id: string; resetAt: Date }>('counts');
  const previous = [{ key: { resetAt: 1 as const }, name: 'over' }];
  await counts.createIndexes(previous);
  await counts.createIndexes([...(countIndexes['counts'] ?? [])]);
  await counts.createIndexes(previous);
  await counts.insertMany([
    { _id: 'ended', resetAt: new Date(Date.now() - 1) },
    { _id: 'running', resetAt: new Date(Date.now() + 60_000) },
  ]);
  await waitUntil(async () => (await counts.countDocuments({ _id: 'ended' })) === 0, 10_000);
  assert.deepEqual(
    (await counts.find().toArray()).map(({ _id }) => _id),
    ['running'],
  );
});
