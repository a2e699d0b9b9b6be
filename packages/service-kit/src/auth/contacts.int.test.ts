import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { MongoClient, type Collection, type Db } from 'mongodb';
import { startTestDatabase } from '../testing/test-database.ts';
import { accountOfEmail, forgetContacts } from './contacts.ts';
import type { JoinRecords } from './join-records.ts';
import { Joining } from './joining.ts';
import { kitIndexes, runTransaction } from '../database/database.ts';
import { ensureIndexes } from '../database/indexes.ts';

interface Parcel {
  readonly email: string;
  readonly owner?: string;
}

const database = await startTestDatabase();
const client = await new MongoClient(database.uri).connect();
after(async () => {
  await client.close();
  await database.close();
});

async function clinic() {
  const db = client.db(randomUUID());
  await ensureIndexes(db, [kitIndexes, { parcels: [{ key: { email: 1 } }] }]);
  const parcels: Collection<Parcel> = db.collection('parcels');
  const join: JoinRecords = async (session, { id, email }) =>
    void (await parcels.updateMany({ email, owner: { $exists: false } }, { $set: { owner: id } }, { session }));
  const context = {
    db,
    inTransaction: <T>(work: Parameters<typeof runTransaction<T>>[1]) => runTransaction(client, work),
  };
  const send = (email: string): Promise<void> =>
    context.inTransaction(async (session) => {
      const owner = await accountOfEmail(context, session, email);
      await parcels.insertOne({ email, ...(owner !== undefined && { owner }) }, { session });
    });
  return { db: db as Db, context, parcels, send, replica: () => new Joining(context, join, undefined) };
}
const person = (id: string, email = 'ann@mail.example', confirmed = true) => ({ id, email, confirmed, version: 1 });

test('an account gets the records under its confirmed address, including later ones', async () => {
  const { parcels, send, replica } = await clinic();
  await send('ann@mail.example');
  await send('bob@mail.example');
  await replica().ensureJoined(person('ann'));
  await send('ann@mail.example');
  assert.deepEqual(
    (await parcels.find().toArray()).map(({ email, owner }) => [email, owner]),
    [
      ['ann@mail.example', 'ann'],
      ['bob@mail.example', undefined],
      ['ann@mail.example', 'ann'],
    ],
  );
});

test('an unconfirmed account gets nothing', async () => {
  const { db, parcels, send, replica } = await clinic();
  await send('ann@mail.example');
  await replica().ensureJoined(person('squatter', 'ann@mail.example', false));
  await send('ann@mail.example');
  assert.equal(await parcels.countDocuments({ owner: { $exists: true } }), 0);
  assert.equal(await db.collection('contacts').countDocuments({ accountId: { $exists: true } }), 0);
});

test('an account keeps its records when somebody else confirms the address later', async () => {
  const { parcels, send, replica } = await clinic();
  await send('ann@mail.example');
  await replica().ensureJoined(person('ann'));
  await replica().ensureJoined(person('ann', 'ann@new.example'));
  await send('ann@mail.example');
  await replica().ensureJoined(person('later'));
  await send('ann@mail.example');
  await send('ann@new.example');
  assert.deepEqual(
    (await parcels.find().toArray()).map(({ email, owner }) => [email, owner]),
    [
      ['ann@mail.example', 'ann'],
      ['ann@mail.example', 'later'],
      ['ann@mail.example', 'later'],
      ['ann@new.example', 'ann'],
    ],
  );
});

test('joins all records that many replicas write while their owner joins', { timeout: 60_000 }, async () => {
  for (let round = 0; round < 4; round += 1) {
    const { parcels, send, replica } = await clinic();
    await Promise.all([
      ...Array.from({ length: 10 }, () => send('ann@mail.example')),
      ...Array.from({ length: 4 }, () => replica().ensureJoined(person('ann'))),
      ...Array.from({ length: 5 }, () => send('ann@mail.example')),
    ]);
    assert.equal(await parcels.countDocuments({ owner: 'ann' }), 15);
  }
});

test('forgets a deleted person’s address, and no other account’s', async () => {
  const { context, db, send, replica } = await clinic();
  await replica().ensureJoined(person('ann'));
  await replica().ensureJoined(person('bob', 'bob@mail.example'));
  await send('nobody@mail.example');
  await forgetContacts(context, {
    id: 'ann',
    addresses: ['ann@mail.example', 'bob@mail.example', 'nobody@mail.example'].map((email) => ({
      email,
      since: new Date(0),
      confirmed: true,
      others: [],
    })),
  });
  assert.deepEqual(
    await db
      .collection('contacts')
      .find({}, { projection: { accountId: 1 } })
      .toArray(),
    [{ _id: 'bob@mail.example', accountId: 'bob' }],
  );
});
