import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Binary, Long, MongoClient } from 'mongodb';
import type { Collection, Document } from 'mongodb';
import { serverError, startProcess, testFolder } from './testing/harness.ts';
import type { ServerProcess } from './testing/harness.ts';
import { connectRaw } from './testing/raw-client.ts';

const root = testFolder();
after(() => Promise.all(clients.map((client) => client.close())));

interface Running {
  process: ServerProcess;
  client: MongoClient;
  collection: Collection<Row>;
}

interface Row {
  _id: string | number;
  slot?: string;
  pair?: string | null;
  balance?: number;
}

const clients: MongoClient[] = [];

/** Starts the server on a directory, with a client. */
async function start(dataDir: string): Promise<Running> {
  const process = await startProcess(dataDir);
  const client = new MongoClient(process.uri, { serverSelectionTimeoutMS: 3_000, maxPoolSize: 20 });
  clients.push(client);
  return { process, client, collection: client.db('clinic').collection<Row>('records') };
}

/**
 * Runs workers until enough writes are acknowledged, then kills the server. Their requests in flight fail when the
 * driver gives up looking for the server.
 */
async function killUnder({ process }: Running, workers: (() => Promise<void>)[], enough: () => boolean): Promise<void> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  let stopping = false;
  const work = async (worker: () => Promise<void>): Promise<void> => {
    while (!stopping) {
      await worker().catch((error: unknown) => {
        if (!stopping || error instanceof assert.AssertionError) throw error;
      });
      if (!enough() || stopping) continue;
      stopping = true;
      await process.kill();
      stop();
    }
  };
  await Promise.race([stopped, Promise.all(workers.map(work))]);
}

test('loses no acknowledged write and keeps no partial transaction across 8 × kill -9 under 16 writers', async () => {
  const dataDir = join(root, 'writers');
  const acknowledged = new Set<string>();
  for (let round = 0; round < 8; round += 1) {
    const running = await start(dataDir);
    const { collection, client } = running;
    await collection.createIndex({ slot: 1 }, { unique: true, name: 'slot' });
    const before = acknowledged.size;
    let step = 0;
    const one = async (): Promise<void> => {
      const name = `${round}-${step++}`;
      await collection.insertOne({ _id: name, slot: name, pair: null });
      acknowledged.add(name);
    };
    const pair = async (): Promise<void> => {
      const name = `${round}-${step++}`;
      await client.withSession((session) =>
        session.withTransaction(async () => {
          await collection.insertOne({ _id: `${name}x`, slot: `${name}x`, pair: name }, { session });
          await collection.insertOne({ _id: `${name}y`, slot: `${name}y`, pair: name }, { session });
        }),
      );
      acknowledged.add(`${name}x`).add(`${name}y`);
    };
    const workers = Array.from({ length: 16 }, (_, at) => (at % 2 === 0 ? one : pair));
    await killUnder(running, workers, () => acknowledged.size >= before + 250);
  }
  const { process, client, collection } = await start(dataDir);
  const stored = await collection.find({}).hint({ _id: 1 }).toArray();
  const names = new Set(stored.map(({ _id }) => String(_id)));
  assert.deepEqual(
    [...acknowledged].filter((name) => !names.has(name)),
    [],
  );
  assert.ok(acknowledged.size >= 2000);
  for (const { pair } of stored) {
    if (pair !== null) assert.ok(names.has(`${pair}x`) && names.has(`${pair}y`), `half a transaction: ${pair}`);
  }
  const bySlot = await collection
    .find({ slot: { $gte: '' } })
    .hint('slot')
    .toArray();
  assert.equal(bySlot.length, stored.length);
  assert.equal(new Set(bySlot.map(({ slot }) => slot)).size, stored.length);
  for (const { slot } of stored.slice(0, 50)) {
    assert.equal((await serverError(collection.insertOne({ _id: `again ${slot}`, slot: slot ?? '' }))).code, 11000);
  }
  assert.equal(await collection.countDocuments(), stored.length);
  await client.close();
  assert.equal(await process.stop(), 0);
});

test('shows the same total in every snapshot across 3 × kill -9 under 6 writers', async () => {
  const dataDir = join(root, 'bank');
  const ACCOUNTS = 8;
  const TOTAL = ACCOUNTS * 100;
  let commits = 0;
  let snapshots = 0;
  for (let round = 0; round < 3; round += 1) {
    const running = await start(dataDir);
    const { collection, client } = running;
    if (round === 0)
      await collection.insertMany(Array.from({ length: ACCOUNTS }, (_, _id) => ({ _id: _id, balance: 100 })));
    let step = round;
    const move = async (): Promise<void> => {
      step += 1;
      const [from, to] = [step % ACCOUNTS, (step * 3 + 1) % ACCOUNTS];
      const amount = 1 + (step % 7);
      await client.withSession((session) =>
        session.withTransaction(async () => {
          await collection.updateOne({ _id: from }, { $inc: { balance: -amount } }, { session });
          await collection.updateOne({ _id: to }, { $inc: { balance: amount } }, { session });
        }),
      );
      commits += 1;
    };
    const audit = async (): Promise<void> => {
      await client.withSession(async (session) => {
        session.startTransaction({ readConcern: { level: 'snapshot' } });
        const half = await collection.find({ _id: { $lt: ACCOUNTS / 2 } }, { session }).toArray();
        const rest = await collection
          .aggregate(
            [{ $match: { _id: { $gte: ACCOUNTS / 2 } } }, { $group: { _id: null, sum: { $sum: '$balance' } } }],
            { session },
          )
          .toArray();
        await session.commitTransaction();
        const sum = half.reduce((total, { balance }) => total + (balance ?? 0), rest[0]?.['sum'] as number);
        if (sum !== TOTAL)
          throw new assert.AssertionError({ message: `a snapshot shows ${sum}`, actual: sum, expected: TOTAL });
        snapshots += 1;
      });
    };
    const goal = commits + 120;
    await killUnder(running, [move, move, move, move, move, move, audit, audit], () => commits >= goal);
  }
  const { process, client, collection } = await start(dataDir);
  const [{ sum } = { sum: 0 }] = await collection
    .aggregate([{ $group: { _id: null, sum: { $sum: '$balance' } } }])
    .toArray();
  assert.equal(sum, TOTAL);
  assert.ok(commits >= 360 && snapshots > 10, `${commits} commits, ${snapshots} snapshots`);
  await client.close();
  assert.equal(await process.stop(), 0);
});

test('applies a write and a commit once, even if they are retried after kill -9 and a restart', async () => {
  const dataDir = join(root, 'retry');
  const lsid = { id: new Binary(Buffer.alloc(16, 7), Binary.SUBTYPE_UUID) };
  const number = (value: number): object => ({ lsid, txnNumber: Long.fromNumber(value), $db: 'clinic' });
  const write = {
    update: 'records',
    updates: [{ q: { _id: 'a' }, u: { $inc: { n: 1 } }, upsert: true }],
    ...number(1),
  };
  const insert = {
    insert: 'records',
    documents: [{ _id: 'b' }],
    ...number(2),
    autocommit: false,
    startTransaction: true,
  };
  const commit = { commitTransaction: 1, ...number(2), autocommit: false };
  /** Sends commands to a new process on the same directory, and kills it. */
  const life = async (...commands: Document[]): Promise<Document[]> => {
    const process = await startProcess(dataDir);
    const client = await connectRaw(process.uri);
    const answers: Document[] = [];
    for (const command of commands) {
      const { $clusterTime: _, operationTime: __, ...answer } = await client.command(command);
      answers.push(answer);
    }
    await process.kill();
    await client.close();
    return answers;
  };
  const upserted = { n: 1, nModified: 0, upserted: [{ index: 0, _id: 'a' }], ok: 1 };
  assert.deepEqual(await life(write), [upserted]);
  assert.deepEqual(await life(write, insert, commit), [upserted, { n: 1, ok: 1 }, { ok: 1 }]);
  const [again, lost, found] = await life(
    commit,
    { ...commit, ...number(3) },
    { find: 'records', sort: { _id: 1 }, $db: 'clinic' },
  );
  assert.deepEqual(again, { ok: 1 });
  // An unknown transaction is lost, and the driver must run it again.
  assert.equal(lost?.['code'], 251);
  assert.deepEqual(lost['errorLabels'], ['TransientTransactionError']);
  assert.deepEqual(found?.['cursor'].firstBatch, [{ _id: 'a', n: 1 }, { _id: 'b' }]);
});
