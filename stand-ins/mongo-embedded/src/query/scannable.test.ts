import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MongoClient } from 'mongodb';
import { startServer } from '../index.ts';

test('a test’s database refuses a request’s query without an index, except those it allows', async () => {
  await using server = new AsyncDisposableStack();
  const engine = await startServer({ port: 0, scannable: ['people by height'] });
  server.defer(() => engine.close());
  const client = await MongoClient.connect(engine.uri);
  server.defer(() => client.close());
  const people = client.db('test').collection<{ name: string; age: number; height: number }>('people');
  await people.createIndex({ name: 1 });
  await people.insertOne({ name: 'Ann', age: 40, height: 170 });
  const comment = 'request-1';
  const refused = (what: string) => ({ code: 291, message: `no index for ${what}` });
  await assert.rejects(people.findOne({ age: 40 }, { comment }), refused('people by age'));
  await assert.rejects(people.find({}, { comment }).sort({ age: 1 }).toArray(), refused('people in the order of age'));
  await assert.rejects(people.updateOne({ age: 40 }, { $set: { age: 41 } }, { comment }), refused('people by age'));
  assert.equal((await people.find({ height: 170 }, { comment }).toArray()).length, 1);
  assert.equal((await people.find({ name: 'Ann' }, { comment }).toArray()).length, 1);
  assert.equal((await people.find({}, { comment }).toArray()).length, 1);
  // Without a comment it is the test’s own.
  assert.equal((await people.find({ age: 40 }).toArray()).length, 1);
});
