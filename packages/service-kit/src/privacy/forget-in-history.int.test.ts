import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MongoClient, ObjectId } from 'mongodb';
import type { ServiceContext } from '../context.ts';
import { runTransaction } from '../database/database.ts';
import { startTestDatabase } from '../testing/test-database.ts';
import { erasuresOf } from './erased-counts.ts';
import { forgetInHistory } from './forget-in-history.ts';

test('whoever has a long history is erased from it, however little each step gets done', async (t) => {
  const database = await startTestDatabase();
  t.after(() => database.close());
  await using client = new MongoClient(database.uri);
  const db = client.db(database.newName());
  const inTransaction: ServiceContext['inTransaction'] = (work) => runTransaction(client, work);
  const [id, email] = ['a'.repeat(24), 'ann@mail.example'];
  const event = (second: number) => ({
    _id: new ObjectId(),
    at: new Date(Date.UTC(2026, 10, 20, 8, 0, second)),
    record: { type: 'order', id: 'b'.repeat(24) },
    accounts: [id],
    people: [email],
    action: 'status changed',
    before: { by: email },
    after: {},
  });
  const events = db.collection('events');
  // Many at one instant, as of an import.
  await events.insertMany(Array.from({ length: 420 }, (_, at) => event(Math.floor(at / 150))));
  const person = { id, email, addresses: [{ email, since: new Date(0), confirmed: true, others: [] }] };
  const step = () => forgetInHistory({ db, inTransaction }, person, { until: 0, redact: (fields) => fields });
  assert.deepEqual(await step(), { done: false });
  await events.insertOne(event(60));
  let steps = 1;
  while (steps < 20 && !(await step()).done) steps += 1;
  assert.ok(steps < 20, 'it never ends');
  assert.equal(await events.countDocuments({ $or: [{ people: email }, { 'before.by': email }] }), 0);
  assert.equal((await erasuresOf(db).findOne({ _id: id }))?.events, 421);
});
