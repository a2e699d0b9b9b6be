import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { MongoClient, type Collection } from 'mongodb';
import { kitIndexes, runTransaction } from '../database/database.ts';
import { ensureIndexes } from '../database/indexes.ts';
import { dateWithin } from '../privacy/person.ts';
import { AddressLife, handOverParts } from '../testing/hand-overs.ts';
import { startTestDatabase } from '../testing/test-database.ts';
import type { AccountChange } from './account-feed.ts';
import { applyChanges } from './apply-account-changes.ts';
import { accountOfEmail } from './contacts.ts';
import { joinOwned, type JoinRecords } from './join-records.ts';
import { followedPositionOf, knownAccountsOf } from './known-accounts.ts';

interface Parcel {
  readonly _id: string;
  readonly email: string;
  readonly owner?: string;
  readonly sentAt: Date;
}

const database = await startTestDatabase();
const client = await new MongoClient(database.uri).connect();
after(async () => {
  await client.close();
  await database.close();
});

/** A service with parcels, which reads the feed in pieces. */
async function parcelService() {
  const db = client.db(randomUUID());
  await ensureIndexes(db, [kitIndexes, { parcels: [{ key: { email: 1 } }], markers: [{ key: { at: 1 } }] }]);
  await followedPositionOf({ db }).insertOne({ _id: 'account feed', seq: 0 });
  const parcels: Collection<Parcel> = db.collection('parcels');
  const inTransaction = <T>(work: Parameters<typeof runTransaction<T>>[1]) => runTransaction(client, work);
  const context = { db, inTransaction };
  const join: JoinRecords = async (session, owner) =>
    void (await parcels.updateMany(
      { email: owner.email, owner: { $exists: false }, ...dateWithin('sentAt', owner) },
      { $set: { owner: owner.id } },
      { session },
    ));
  const feed = new Map<string, AccountChange>();
  let seq = 0;
  return {
    parcels,
    change(entry: Pick<AccountChange, 'account'> & Partial<AccountChange>): void {
      seq += 1;
      feed.set(entry.account, { version: seq, former: [], active: true, role: 'patient', ...entry, seq });
    },
    /** Reads that many of the next entries. */
    async read(most = Infinity): Promise<void> {
      const position = (await followedPositionOf({ db }).findOne({ _id: 'account feed' }))?.seq ?? 0;
      const next = [...feed.values()].filter((one) => one.seq > position).toSorted((one, other) => one.seq - other.seq);
      if (next.length > 0 && most > 0)
        assert.equal(await applyChanges(context, next.slice(0, most), position, join), true);
    },
    async letRecordsFollow(): Promise<void> {
      for (const { _id: id, email } of await knownAccountsOf({ db })
        .find({ pending: { $gt: 0 } })
        .toArray()) {
        if (email !== undefined) await joinOwned(context, join, { id, email });
        await knownAccountsOf({ db }).updateOne({ _id: id }, { $unset: { pending: '' } });
      }
    },
    send: (email: string): Promise<string> =>
      inTransaction(async (session) => {
        const owner = await accountOfEmail({ db }, session, email);
        const _id = randomUUID();
        await parcels.insertOne({ _id, email, sentAt: new Date(), ...(owner !== undefined && { owner }) }, { session });
        return _id;
      }),
  };
}

const lives = fc.array(fc.constantFrom(...handOverParts), { minLength: 2, maxLength: 7 }).map((parts) => parts.flat());

/** How many entries the service reads after a step, and whether its records follow at once. */
const pieces = fc.array(fc.tuple(fc.nat(2), fc.boolean()), { minLength: 1, maxLength: 12 });

test('a record goes to whoever had the address when it was made, or to its next owner, however the feed is read', async () => {
  const service = await parcelService();
  await fc.assert(
    fc.asyncProperty(lives, pieces, async (life, reads) => {
      const address = new AddressLife();
      for (const [index, step] of life.entries()) {
        if (step === 'make') {
          // As a service does before it makes a record for somebody else.
          await service.read();
          await address.make(service.send);
        }
        const entry = await address.step(step);
        if (entry) service.change(entry);
        const [most = 0, follows = false] = reads[index % reads.length] ?? [];
        await service.read(most);
        if (follows) await service.letRecordsFollow();
      }
      await service.read();
      await service.letRecordsFollow();
      for (const [_id, owner] of address.expected)
        assert.equal((await service.parcels.findOne({ _id }))?.owner, owner, life.join(', '));
    }),
    { numRuns: 25 },
  );
});
