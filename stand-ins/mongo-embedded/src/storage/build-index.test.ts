import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { MongoClient, MongoServerError, type Collection, type IndexDescription } from 'mongodb';
import { startServer, type RunningServer } from '../index.ts';

// More documents than are ever indexed one by one.
const count = 21_000;
const indexes: IndexDescription[] = [
  { key: { name: 1, _id: 1 }, name: 'name' },
  { key: { parts: 1 }, name: 'parts' },
  { key: { at: -1 }, name: 'at', partialFilterExpression: { 'about.open': true } },
  { key: { number: 1 }, name: 'number', unique: true },
];

interface Row {
  readonly _id: number;
  readonly name: string;
  readonly parts: string[];
  readonly at: number;
  readonly number: number;
  readonly about: { readonly open: boolean };
}

let server: RunningServer;
let client: MongoClient;
let built: Collection<Row>;
before(async () => {
  server = await startServer({ port: 0 });
  client = await MongoClient.connect(server.uri);
  built = client.db('test').collection('built');
  const grown = client.db('test').collection<Row>('grown');
  await grown.createIndexes(indexes);
  const rows = Array.from({ length: count }, (_, _id) => ({
    _id,
    name: `name ${(_id * 7919) % 1_000}`,
    parts: [`p${_id % 10}`, `q${_id % 7}`],
    at: (_id * 31) % 5_000,
    number: count - _id,
    about: { open: _id % 3 === 0 },
  }));
  for (const each of [built, grown]) await each.insertMany(rows, { ordered: false });
});
after(async () => {
  await client.close();
  await server.close();
});

it('indexes many existing documents as if they had been inserted one by one', async () => {
  await built.createIndexes(indexes);
  const grown = client.db('test').collection<Row>('grown');
  for (const [filter, sort] of [
    [{ name: 'name 42' }, { _id: 1 }],
    [{ parts: 'p3' }, { _id: -1 }],
    [
      { 'about.open': true, at: { $lt: 100 } },
      { at: -1, _id: 1 },
    ],
    [{ number: { $gt: 20_990 } }, { number: 1 }],
  ] as const) {
    const read = (from: Collection<Row>) => from.find(filter).sort(sort).toArray();
    const plan = JSON.stringify(await built.find(filter).explain('queryPlanner'));
    assert.match(plan, /IXSCAN/);
    const found = await read(built);
    assert.ok(found.length > 0);
    assert.deepEqual(found, await read(grown));
    assert.equal(await built.countDocuments(filter), found.length);
  }
});

it('rejects a unique index on many documents of which two are alike, and keeps nothing of it', async () => {
  const before = await built.listIndexes().toArray();
  await assert.rejects(
    built.createIndex({ name: 1 }, { unique: true, name: 'once' }),
    (error) => error instanceof MongoServerError && error.code === 11000 && error.message.includes('name: "name '),
  );
  assert.deepEqual(await built.listIndexes().toArray(), before);
  await built.createIndex({ at: 1, _id: 1 }, { unique: true, name: 'once' });
});
