import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { MongoClient, type Collection, type Db } from 'mongodb';
import { kitIndexes, runTransaction } from '../database/database.ts';
import { ensureIndexes } from '../database/indexes.ts';
import { createLogger } from '../observability/log.ts';
import { startTestIssuer, type TestIssuer } from '../testing/issuer.ts';
import { startTestDatabase } from '../testing/test-database.ts';
import { waitUntil } from '../testing/wait-until.ts';
import type { AccountChange } from './account-feed.ts';
import { accountOfEmail } from './contacts.ts';
import { AccountFollower, type OnAccount } from './follow-accounts.ts';
import type { JoinRecords } from './join-records.ts';
import { Joining } from './joining.ts';
import { followedPositionOf, knownAccounts, knownAccountsOf } from './known-accounts.ts';

interface Parcel {
  readonly email: string;
  readonly owner?: string;
}

const database = await startTestDatabase();
const client = await new MongoClient(database.uri).connect();
const stop = new AbortController();
const running: Promise<unknown>[] = [];
const issuers: TestIssuer[] = [];
after(async () => {
  stop.abort();
  await Promise.all(running);
  await Promise.all(issuers.map((issuer) => issuer.close()));
  await client.close();
  await database.close();
});

/** A service with parcels, whose replicas follow an issuer's feed. */
async function parcelService() {
  const issuer = await startTestIssuer();
  issuers.push(issuer);
  const db: Db = client.db(randomUUID());
  await ensureIndexes(db, [kitIndexes, { parcels: [{ key: { email: 1 } }], markers: [{ key: { at: 1 } }] }]);
  const parcels: Collection<Parcel> = db.collection('parcels');
  const lines: string[] = [];
  const log = createLogger('parcels', 'info', { write: (line: string) => void lines.push(line) });
  const inTransaction = <T>(work: Parameters<typeof runTransaction<T>>[1]) => runTransaction(client, work);
  const joinRecords: JoinRecords = async (session, { id, email }) =>
    void (await parcels.updateMany({ email, owner: { $exists: false } }, { $set: { owner: id } }, { session }));
  const told: AccountChange[] = [];
  const replica = (onAccount: OnAccount = async (change) => void told.push(change)): AccountFollower => {
    const settings = {
      IDENTITY_URL: [issuer.url],
      INTERNAL_SECRET: undefined,
      DEMO_MODE: false,
      NODE_ENV: 'test',
    } as const;
    const context = { db, inTransaction, log, settings, stopping: stop.signal };
    const follower = new AccountFollower(context, { joinRecords, onAccount });
    running.push(follower.follow());
    return follower;
  };
  const send = (email: string): Promise<void> =>
    inTransaction(async (session) => {
      const owner = await accountOfEmail({ db }, session, email);
      await parcels.insertOne({ email, ...(owner !== undefined && { owner }) }, { session });
    });
  const owners = async () => (await parcels.find().toArray()).map(({ email, owner }) => [email, owner]);
  const joining = (feed: AccountFollower) => new Joining({ db, inTransaction }, joinRecords, feed);
  const settled = () =>
    waitUntil(async () => assert.equal(await knownAccountsOf({ db }).countDocuments({ pending: { $gt: 0 } }), 0));
  return { issuer, db, parcels, lines, told, replica, send, owners, joining, settled };
}

const accounts = async (db: Db, id: string) => (await knownAccounts({ db }, [id])).get(id);
const ready = (follower: AccountFollower) => waitUntil(() => follower.decides());

test('a record for a released address never goes to the account that gave it up', async () => {
  const { issuer, send, owners, replica, settled } = await parcelService();
  const [one, two] = [replica(), replica()];
  await Promise.all([one, two].map(ready));
  issuer.changeAccount('ann', { email: 'old@mail.example' });
  await one.current();
  await send('old@mail.example');
  issuer.changeAccount('ann', { email: 'new@mail.example', former: ['old@mail.example'], version: 2 });
  assert.equal(await two.current(), true);
  await send('old@mail.example');
  issuer.changeAccount('bob', { email: 'old@mail.example' });
  await one.current();
  await settled();
  assert.deepEqual(await owners(), [
    ['old@mail.example', 'ann'],
    ['old@mail.example', 'bob'],
  ]);
});

test('two replicas apply each change once and in order, however often both read', async () => {
  const { issuer, db, told, replica, settled } = await parcelService();
  const replicas = [replica(), replica()];
  await Promise.all(replicas.map(ready));
  for (let round = 1; round <= 20; round += 1) {
    issuer.changeAccount('ann', { email: `a${round}@mail.example`, version: round });
    issuer.changeAccount('bob', {
      email: round % 2 ? `a${round - 1}@mail.example` : 'bob@mail.example',
      version: round,
    });
    await Promise.all(replicas.flatMap((follower) => [follower.current(), follower.current()]));
    const contacts = await db.collection<{ readonly _id: string }>('contacts').find().sort({ _id: 1 }).toArray();
    const bobs = round % 2 ? `a${round - 1}@mail.example` : 'bob@mail.example';
    assert.deepEqual(
      new Map(contacts.map((contact) => [contact._id, (contact as { accountId?: string }).accountId])),
      new Map(
        [
          [`a${round}@mail.example`, 'ann'],
          [bobs, 'bob'],
        ].toSorted(([x = ''], [y = '']) => x.localeCompare(y)) as [string, string][],
      ),
    );
    assert.equal((await followedPositionOf({ db }).findOne({ _id: 'account feed' }))?.seq, 2 * round);
  }
  await settled();
  assert.equal(told.findLast(({ account }) => account === 'ann')?.email, 'a20@mail.example');
});

test('a service catches up on what changed while svc-identity was unavailable, and can’t be sure meanwhile', async () => {
  const { issuer, db, replica, settled } = await parcelService();
  const follower = replica();
  await ready(follower);
  issuer.breakFeed();
  issuer.changeAccount('ann', { email: 'ann@mail.example' });
  assert.equal(await follower.current(), false);
  assert.equal(await accounts(db, 'ann'), undefined);
  issuer.restoreFeed();
  assert.equal(await follower.current(), true);
  await settled();
  assert.equal((await accounts(db, 'ann'))?.email, 'ann@mail.example');
});

test('a replica that dies between a change and its records leaves them to the next', async () => {
  const { issuer, db, replica, settled } = await parcelService();
  const told: string[] = [];
  let failing = true;
  const follower = replica(async ({ account }) => {
    if (failing && account === 'ann') throw new Error('killed');
    told.push(account);
  });
  await ready(follower);
  issuer.changeAccount('ann', { email: 'ann@mail.example' });
  issuer.changeAccount('bob', { email: 'bob@mail.example' });
  follower.changed();
  await waitUntil(() => told.includes('bob'));
  // The owners of the addresses are right, whatever becomes of the records.
  assert.equal((await accounts(db, 'ann'))?.email, 'ann@mail.example');
  assert.ok(((await accounts(db, 'ann'))?.pending ?? 0) > 0);
  failing = false;
  await settled();
  assert.ok(told.includes('ann'));
});

test('a feed that begins anew, from a restored backup, is read as a whole', async () => {
  const { issuer, db, replica, settled } = await parcelService();
  const follower = replica();
  await ready(follower);
  for (let round = 1; round <= 3; round += 1) issuer.changeAccount('ann', { email: `a${round}@mail.example` });
  await follower.current();
  issuer.changeAccount('bob', { email: 'bob@mail.example' });
  issuer.restoreAccounts();
  assert.equal(await follower.current(), true);
  await settled();
  assert.equal((await accounts(db, 'bob'))?.email, 'bob@mail.example');
  assert.equal((await followedPositionOf({ db }).findOne({ _id: 'account feed' }))?.seq, 2);
});

test('a caller doesn’t wait until the records of others have followed', async () => {
  const { issuer, db, send, owners, replica, joining } = await parcelService();
  const held = Promise.withResolvers<void>();
  const follower = replica(() => held.promise);
  await ready(follower);
  issuer.changeAccount('bob', { email: 'bob@mail.example' });
  await follower.current();
  await waitUntil(async () => assert.ok(await accounts(db, 'bob')));
  await send('ann@mail.example');
  issuer.changeAccount('ann', { email: 'ann@mail.example' });
  await follower.current();
  await joining(follower).ensureJoined({ id: 'ann', email: 'ann@mail.example', confirmed: true, version: 1 });
  assert.deepEqual(await owners(), [['ann@mail.example', 'ann']]);
  held.resolve();
});

test('a token of before a change takes nothing back', async () => {
  const { issuer, send, owners, replica, joining } = await parcelService();
  const follower = replica();
  await ready(follower);
  issuer.changeAccount('ann', { email: 'new@mail.example', former: ['old@mail.example'], version: 2 });
  await send('old@mail.example');
  await joining(follower).ensureJoined({ id: 'ann', email: 'old@mail.example', confirmed: true, version: 1 });
  await send('old@mail.example');
  assert.deepEqual(await owners(), [
    ['old@mail.example', undefined],
    ['old@mail.example', undefined],
  ]);
});

test('a first call that arrives before the feed finds its records', async () => {
  const { issuer, send, owners, replica, joining } = await parcelService();
  const follower = replica();
  await ready(follower);
  await send('ann@mail.example');
  // Told to nobody: only a read finds it.
  issuer.changeAccount('ann', { email: 'ann@mail.example' });
  await joining(follower).ensureJoined({ id: 'ann', email: 'ann@mail.example', confirmed: true, version: 1 });
  await waitUntil(async () => assert.deepEqual(await owners(), [['ann@mail.example', 'ann']]));
});

test('without a feed, addresses are learned from tokens as before, and the log says so once', async () => {
  const { issuer, send, owners, replica, joining, lines } = await parcelService();
  issuer.serveAccounts(false);
  const follower = replica();
  await send('ann@mail.example');
  assert.equal(await follower.current(), true);
  const met = joining(follower);
  await met.ensureJoined({ id: 'ann', email: 'ann@mail.example', confirmed: true, version: 1 });
  follower.changed();
  await met.ensureJoined({ id: 'ann', email: 'ann2@mail.example', confirmed: true, version: 2 });
  await send('ann@mail.example');
  assert.deepEqual(await owners(), [
    ['ann@mail.example', 'ann'],
    ['ann@mail.example', undefined],
  ]);
  await waitUntil(() => lines.length > 0);
  assert.equal(lines.filter((line) => line.includes('no account feed')).length, 1);
});
