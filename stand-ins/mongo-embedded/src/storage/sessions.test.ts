import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Binary, Long, type Document } from 'mongodb';
import { startTestServer } from '../testing/harness.ts';
import { connectRaw } from '../testing/raw-client.ts';
import { Sessions } from './sessions.ts';
import { Store } from './store.ts';
import { Transactions } from './transactions.ts';

const server = await startTestServer();

const id: Document = { _id: 'a' };

test('applies a write once even if it is sent twice', async () => {
  const collection = server.fresh();
  await collection.insertOne({ ...id, balance: 10 });
  const raw = await connectRaw(server.server.uri);
  const lsid = { id: new Binary(Buffer.alloc(16, 1), Binary.SUBTYPE_UUID) };
  const write = (txnNumber: number): Document => ({
    update: collection.collectionName,
    updates: [{ q: id, u: { $inc: { balance: 1 } } }],
    lsid,
    txnNumber: Long.fromNumber(txnNumber),
    $db: 'clinic',
  });
  for (const _ of ['first', 'again']) {
    const { n, nModified, ok } = await raw.command(write(7));
    assert.deepEqual([n, nModified, ok], [1, 1, 1]);
  }
  assert.equal((await collection.findOne(id))?.['balance'], 11);
  assert.equal((await raw.command(write(6)))['code'], 225);
  await raw.close();
});

test('aborts a transaction after 15 seconds and forgets a session after 30 minutes', () => {
  const store = new Store(':memory:');
  const transactions = new Transactions();
  const sessions = new Sessions(store, transactions);
  const session = sessions.get(Buffer.alloc(16, 1));
  const transaction = sessions.start(session, 1);
  sessions.reap(Date.now() + 14_000);
  assert.equal(transactions.isActive(transaction), true);
  sessions.reap(Date.now() + 16_000);
  assert.equal(transactions.isActive(transaction), false);
  sessions.remember(session, 2, Buffer.from('reply'), false);
  assert.equal(sessions.replyOf(session, 2)?.reply.toString(), 'reply');
  sessions.reap(Date.now() + 31 * 60_000);
  assert.equal(sessions.replyOf(session, 2), undefined);
  store.close();
});
