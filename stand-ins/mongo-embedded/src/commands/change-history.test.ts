import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MongoClient, type Document } from 'mongodb';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { startServer } from '../server/server.ts';
import { startProcess, testFolder } from '../testing/harness.ts';

const dir = testFolder();

test('purges history beyond its limit', { timeout: 30_000 }, async (t) => {
  const server = await startServer({ port: 0, keepAnswersMs: 300 });
  const client = new MongoClient(server.uri);
  t.after(async () => {
    await client.close();
    await server.close();
  });
  const pets = client.db('clinic').collection('pets');
  const stream = pets.watch();
  await stream.tryNext();
  await pets.insertOne({});
  const { _id } = await stream.next();
  await pets.insertOne({});
  // The server purges every five seconds.
  for (;;) {
    const again = pets.watch([], { resumeAfter: _id, maxAwaitTimeMS: 10 });
    try {
      await again.next();
    } catch (error) {
      assert.deepEqual(
        [(error as Document)['code'], (error as Document)['codeName']],
        [286, 'ChangeStreamHistoryLost'],
      );
      assert.ok((error as { hasErrorLabel(label: string): boolean }).hasErrorLabel('NonResumableChangeStreamError'));
      break;
    } finally {
      await again.close();
    }
  }
});

test('no acknowledged write is missing from a stream after kill -9', { timeout: 60_000 }, async (t) => {
  const port = await holdPort();
  let process = await startProcess(dir, port);
  const client = new MongoClient(process.uri, { serverSelectionTimeoutMS: 20_000 });
  t.after(() => client.close());
  const pets = client.db('clinic').collection<{ _id: number }>('pets');
  const seen: number[] = [];
  const acknowledged: number[] = [];
  const stop = new AbortController();
  // The driver resumes after each crash.
  const stream = pets.watch([], { maxAwaitTimeMS: 1_000 });
  const reading = (async () => {
    for await (const event of stream) {
      if (event.operationType === 'insert') seen.push(event.documentKey._id);
      if (event.operationType === 'delete') return;
    }
  })();
  while (stream.resumeToken === null) await pets.insertOne({ _id: -1 - Math.random() });
  seen.length = 0;

  const writing = (async () => {
    for (let _id = 1; !stop.signal.aborted; _id += 1) {
      try {
        await pets.insertOne({ _id });
        acknowledged.push(_id);
      } catch {
        // In flight while the server was killed: it may have been written or not.
      }
    }
  })();
  for (let crash = 0; crash < 3; crash += 1) {
    const enough = acknowledged.length + 100;
    while (acknowledged.length < enough) await new Promise((resolve) => setImmediate(resolve));
    await process.kill();
    process = await startProcess(dir, port);
  }
  stop.abort();
  await writing;
  await pets.insertOne({ _id: 0 });
  await pets.deleteOne({ _id: 0 });
  await reading;
  await stream.close();
  const inserted = seen.filter((id) => id > 0);
  assert.deepEqual(inserted, [...new Set(inserted)], 'no event comes twice');
  const missing = acknowledged.filter((id) => !inserted.includes(id));
  assert.deepEqual(missing, []);
  const stored = await pets.countDocuments({ _id: { $gt: 0 } });
  assert.equal(inserted.length, stored);
  await process.stop();
});
