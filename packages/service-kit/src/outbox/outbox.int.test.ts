import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '@clinic/mongo-embedded';
import { MongoClient, ObjectId } from 'mongodb';
import { forgetOutbox, oldestEntries, outboxOf, removeTaken } from './outbox.ts';

test('a forgotten entry is empty, and stays until svc-messages has dropped what it made of it', async (t) => {
  const engine = await startServer({ port: 0 });
  t.after(() => engine.close());
  await using client = new MongoClient(engine.uri);
  const context = { db: client.db('clinic') };
  const email = 'walk.in@nowhere.example';
  const [theirs, other] = [new ObjectId(), new ObjectId()];
  const entry = { at: new Date(), kind: 'order-placed', data: { order: { recipient: 'Zeb Walkinson' } } };
  await outboxOf(context).insertMany([
    { _id: theirs, ...entry, to: { email } },
    { _id: other, ...entry, to: { email, account: 'b'.repeat(24) } },
  ]);
  const addresses = [{ email, confirmed: true, since: new Date(0), others: [] }];
  await forgetOutbox(context, { id: 'a'.repeat(24), email, addresses });

  const listed = async (all: boolean) =>
    (await oldestEntries(context, 10, all)).map(({ id, to, data, forgotten }) => ({ id, to, data, forgotten }));
  const left = {
    id: other.toHexString(),
    to: { email, account: 'b'.repeat(24) },
    data: entry.data,
    forgotten: undefined,
  };
  assert.deepEqual(await listed(true), [{ id: theirs.toHexString(), to: {}, data: {}, forgotten: true }, left]);
  assert.deepEqual(await listed(false), [left]);
  // Whoever had read it before it was forgotten says that it is stored.
  await removeTaken(context, { ids: [theirs.toHexString()], forgotten: [] });
  assert.equal((await listed(true)).length, 2);
  await removeTaken(context, { ids: [], forgotten: [theirs.toHexString(), other.toHexString()] });
  assert.deepEqual(await listed(true), [left]);
});
