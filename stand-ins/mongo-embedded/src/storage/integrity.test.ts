import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Binary } from 'bson';
import { BSON } from 'mongodb';
import type { Document } from 'mongodb';
import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import { dispatch } from '../commands/dispatcher.ts';
import type { Engine } from '../commands/command.ts';
import { createEngine } from '../server/engine.ts';
import { Random } from '../testing/random.ts';
import { indexKeys } from './indexes.ts';
import { Store } from './store.ts';
import { LockWait } from './transactions.ts';

/**
 * Asserts that every index has exactly the entries of the stored documents, and that counts and unique keys are
 * correct.
 */
function checkIntegrity({ store, catalogue }: Engine): void {
  for (const collection of catalogue.list()) {
    const rows = store.scan(collection.id, 0, 1_000_000);
    assert.equal(collection.count, rows.length);
    for (const index of collection.indexes) {
      const expected = rows
        .flatMap(({ rid, doc }) => indexKeys(index, decode(doc)).keys.map((key) => `${key.toString('hex')} ${rid}`))
        .toSorted();
      const entries = store
        .all(`SELECT key, rid FROM x${index.id}`)
        .map(([key, rid]) => `${Buffer.from(key as Uint8Array).toString('hex')} ${Number(rid)}`)
        .toSorted();
      assert.deepEqual(entries, expected, index.name);
      if (index.unique)
        assert.equal(new Set(expected.map((entry) => entry.split(' ')[0])).size, expected.length, index.name);
    }
  }
}

/** A test session, with the number of its latest transaction and whether it is open. */
interface Client {
  lsid: Document;
  number: number;
  open: boolean;
}

function randomWrite(random: Random): Document {
  const document = (): Document => ({
    slot: random.below(12),
    tags: Array.from({ length: random.below(3) }, () => random.below(4)),
    n: random.below(5),
  });
  const q = random.pick([
    { _id: random.below(15) },
    { slot: random.below(12) },
    { tags: { $gte: random.below(4) } },
    { n: { $lt: random.below(5) } },
  ]);
  const u = random.pick<Document>([
    { $set: { slot: random.below(12) } },
    { $inc: { n: 1 } },
    { $push: { tags: random.below(4) } },
    { $unset: { slot: 1 } },
    { $pull: { tags: random.below(4) } },
    document(),
  ]);
  const multi = random.chance(0.3) && Object.keys(u).every((name) => name.startsWith('$'));
  return random.pick<Document>([
    {
      insert: 'records',
      documents: Array.from({ length: 1 + random.below(3) }, () => ({ _id: random.below(15), ...document() })),
      ordered: random.chance(0.5),
    },
    { update: 'records', updates: [{ q, u, multi, upsert: random.chance(0.3) }] },
    { delete: 'records', deletes: [{ q, limit: random.below(2) }] },
    { findAndModify: 'records', query: q, update: u, new: true },
  ]);
}

for (const seed of [1, 2, 3, 4]) {
  test(`keeps indexes, counts and unique keys consistent under random writes in and out of transactions, seed ${seed}`, () => {
    const engine = createEngine(new Store(':memory:'), 'rs0');
    const run = (command: Document): Document | undefined => {
      try {
        return BSON.deserialize(dispatch(engine, decode(encode({ ...command, $db: 'clinic' })), new Map()));
      } catch (error) {
        if (error instanceof LockWait) return undefined;
        throw error;
      }
    };
    run({
      createIndexes: 'records',
      indexes: [
        { key: { slot: 1 }, name: 'slot', unique: true, partialFilterExpression: { slot: { $exists: true } } },
        { key: { tags: 1, n: -1 }, name: 'tags' },
        { key: { n: -1, _id: 1 }, name: 'n' },
      ],
    });
    const random = new Random(seed);
    const clients: Client[] = [1, 2, 3].map((byte) => ({
      lsid: { id: new Binary(Buffer.alloc(16, byte), 4) },
      number: 0,
      open: false,
    }));
    const seen = { ok: 0, conflicts: 0, duplicates: 0, waits: 0, commits: 0 };
    for (let round = 0; round < 1500; round += 1) {
      const client = random.chance(0.6) ? random.pick(clients) : undefined;
      let command = randomWrite(random);
      if (client) {
        const ends = client.open && random.chance(0.25);
        const starts = !client.open;
        if (starts) client.number += 1;
        if (ends) command = random.chance(0.7) ? { commitTransaction: 1 } : { abortTransaction: 1 };
        client.open = !ends;
        command = {
          ...command,
          lsid: client.lsid,
          txnNumber: client.number,
          autocommit: false,
          ...(starts ? { startTransaction: true } : {}),
        };
      }
      const answer = run(command);
      const code = (answer?.['code'] ?? answer?.['writeErrors']?.[0]?.code) as number | undefined;
      // Any error aborts its transaction.
      if (client && code !== undefined) client.open = false;
      if (!answer) seen.waits += 1;
      else if (code === undefined) seen.ok += 1;
      else if (code === 112) seen.conflicts += 1;
      else {
        assert.equal(code, 11000, JSON.stringify(answer));
        seen.duplicates += 1;
      }
      if (code === undefined && 'commitTransaction' in command) seen.commits += 1;
      if (random.chance(0.1)) engine.store.commit();
      if (round % 50 === 0) checkIntegrity(engine);
    }
    for (const client of clients) engine.sessions.end([Buffer.from((client.lsid['id'] as Binary).buffer)]);
    checkIntegrity(engine);
    assert.equal(engine.transactions.idle, true);
    assert.equal(engine.transactions.versions.mark(), 0);
    for (const [what, times] of Object.entries(seen)) assert.ok(times > 10, `${what}: ${JSON.stringify(seen)}`);
  });
}
