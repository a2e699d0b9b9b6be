import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import {
  BSON,
  Binary,
  BSONRegExp,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
} from 'mongodb';
import { backUp } from './backup.ts';
import { connect, insertRaw } from './database.ts';
import { restore } from './restore.ts';
import { contentOf, encryption, identities, openWorld, runMain, type Server } from './testing/world.ts';

const databases = ['identity', 'clinic', 'lab-results'];

const world = openWorld();
const source = await world.server();
await fill(source);
after(() => world.close());

/** Every BSON type, and fields that JavaScript would reorder. */
async function fill({ client, settings }: Server): Promise<void> {
  const every = {
    _id: new ObjectId(),
    decimal: Decimal128.fromString('1.10'),
    long: Long.fromNumber(5),
    int: new Int32(5),
    double: new Double(5),
    zero: new Double(-0),
    nan: Number.NaN,
    date: new Date(-1),
    bytes: new Binary(Buffer.from('abc'), 0x80),
    uuid: new UUID(),
    pattern: new BSONRegExp('^a', 'ix'),
    time: new Timestamp({ t: 5, i: 7 }),
    min: new MinKey(),
    max: new MaxKey(),
    nothing: null,
    list: [1, [2, { three: 3 }]],
    text: 'রোগী \u0000 ünï',
    'dotted.name': 1,
  };
  const numbered = new Map<string, unknown>([
    ['_id', 'numbered'],
    ['2', 'second'],
    ['1', 'first'],
    ['__proto__', { x: 1 }],
  ]);
  await client
    .db('clinic')
    .collection('records')
    .createIndexes([
      {
        key: { long: 1, date: -1 },
        name: 'by_time',
        unique: true,
        partialFilterExpression: { date: { $exists: true } },
      },
      { key: { list: -1 }, name: 'tags' },
    ]);
  const database = await connect(settings);
  await insertRaw(
    database,
    'clinic',
    'records',
    [every, numbered].map((record) => Buffer.from(BSON.serialize(record as BSON.Document))),
  );
  await database.close();
  await client
    .db('identity')
    .collection('users')
    .insertMany(Array.from({ length: 2500 }, (_, n) => ({ email: `person${n}@clinic.example`, n })));
  await client.db('identity').createCollection('empty');
  await client
    .db('lab-results')
    .collection<{ _id: string; text: string }>('entries')
    .insertOne({ _id: 'large', text: 'x'.repeat(9_000_000) });
}

test('a restored system is identical byte for byte, including indexes', async () => {
  const target = await world.server();
  const { manifest, file } = await backUp({
    settings: source.settings,
    target: join(world.folder, 'a.backup.age'),
    encryption,
  });
  assert.deepEqual(manifest.databases, ['clinic', 'identity', 'lab-results']);
  assert.equal(statSync(file ?? '').mode & 0o777, 0o600);
  await restore({ settings: target.settings, source: file ?? '', identities });
  assert.deepEqual(await contentOf(target, databases), await contentOf(source, databases));
  const [records] = manifest.collections;
  assert.deepEqual([records?.db, records?.name, records?.count, records?.indexes], ['clinic', 'records', 2, 3]);
});

test('an encrypted backup reveals nothing of its content', async () => {
  await backUp({ settings: source.settings, target: join(world.folder, 'clear.backup'), encryption: 'off' });
  const [clear, encrypted] = [
    readFileSync(join(world.folder, 'clear.backup'), 'latin1'),
    readFileSync(join(world.folder, 'a.backup.age'), 'latin1'),
  ];
  const texts = ['@clinic.example', 'person1', 'users', 'records', 'identity', 'CLINIC-BACKUP', '\x28\xb5\x2f\xfd'];
  // Compression alone leaves words readable.
  assert.ok(texts.filter((text) => clear.includes(text)).length > 3);
  assert.deepEqual(
    texts.filter((text) => encrypted.includes(text)),
    [],
  );
  // Random bytes don't compress.
  assert.ok(zstdCompressSync(Buffer.from(encrypted, 'latin1')).length >= encrypted.length);
});

test('creates collections given to --without, but leaves them empty', async () => {
  const target = await world.server();
  const file = join(world.folder, 'a.backup.age');
  await assert.rejects(
    restore({ settings: target.settings, source: file, identities, without: ['identity.user'] }),
    /the backup has no collection identity\.user to leave out/,
  );
  await restore({ settings: target.settings, source: file, identities, without: ['clinic.records'] });
  assert.equal(await target.client.db('clinic').collection('records').countDocuments(), 0);
  assert.equal((await target.client.db('clinic').collection('records').indexes()).length, 3);
  assert.equal(await target.client.db('identity').collection('users').countDocuments(), 2500);
});

test('works through pipes, accounts included, and with selected databases', async () => {
  const accounts = join(world.folder, 'auth');
  mkdirSync(accounts);
  const content = JSON.stringify({ version: 1, projectId: 'demo-clinic', users: [{ localId: 'a' }], codes: [] });
  writeFileSync(join(accounts, 'demo-clinic.json'), content);
  writeFileSync(join(accounts, 'notes.txt'), 'not for backups');
  const { code, out, log } = await runMain(['backup', '-', '--databases', 'identity,clinic'], {
    ...source,
    settings: { ...source.settings, accountsDir: accounts },
  });
  assert.equal(code, 0, log);
  const target = await world.server();
  const elsewhere = { ...target, settings: { ...target.settings, accountsDir: join(world.folder, 'auth-2') } };
  const restored = await runMain(['restore', '-'], elsewhere, { input: out });
  assert.equal(restored.code, 0, restored.log);
  assert.match(
    restored.log,
    /Restored identity, clinic \(2,502 documents in 3 collections\) and the sign-in accounts of .*, and compared them/,
  );
  assert.deepEqual(await contentOf(target, databases), await contentOf(source, ['identity', 'clinic']));
  assert.deepEqual(readdirSync(join(world.folder, 'auth-2')), ['demo-clinic.json']);
  assert.equal(readFileSync(join(world.folder, 'auth-2', 'demo-clinic.json'), 'utf8'), content);
  assert.equal(statSync(join(world.folder, 'auth-2', 'demo-clinic.json')).mode & 0o777, 0o600);
  const verified = await runMain(['verify', '-'], target, { input: out });
  assert.equal(verified.code, 0);
  assert.match(verified.log, /identity\.users: 2,500 documents\n.*Complete and unchanged/s);
});

test('a folder gets a file for each backup and keeps the newest', async () => {
  const folder = join(world.folder, 'nightly');
  mkdirSync(folder);
  for (const name of ['clinic-2020-01-01T00-00-00Z.backup', 'clinic-2020-01-02T00-00-00Z.backup', 'mine.backup'])
    writeFileSync(join(folder, name), 'old');
  const left = [
    'clinic-2020-01-01T00-00-00Z.backup.77.partial',
    'clinic-2020-01-01T00-00-00Z.backup.78.partial',
  ] as const;
  for (const name of left) writeFileSync(join(folder, name), 'half');
  utimesSync(join(folder, left[0]), 0, 0);
  // By the program's clock, which isn't always the disk's.
  utimesSync(join(folder, left[1]), new Date(), new Date());
  const began = Math.floor(Date.now() / 1_000);
  await backUp({ settings: source.settings, target: folder, keep: 2, encryption });
  const [young, second, newest, figures, mine] = readdirSync(folder).toSorted();
  assert.deepEqual([young, second, mine], [left[1], 'clinic-2020-01-02T00-00-00Z.backup', 'mine.backup']);
  assert.match(newest ?? '', /^clinic-20[2-9]\d-.*Z\.backup\.age$/);
  assert.equal(figures, 'clinic-backup.prom');
  const text = readFileSync(join(folder, figures), 'utf8');
  const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  const succeeded = value('clinic_backup_last_success_timestamp_seconds');
  assert.ok(succeeded >= began && succeeded <= Date.now() / 1_000, text);
  assert.equal(value('clinic_backup_size_bytes'), statSync(join(folder, newest ?? '')).size);
});

test('has a single point in time across all databases while all of them change', async () => {
  const busy = await world.server();
  const collections = ['clinic', 'pharmacy'].map((db) =>
    busy.client.db(db).collection<{ _id: number; value: number }>('tallies'),
  );
  const [left, right] = collections;
  assert.ok(left && right);
  for (const each of collections)
    await each.insertMany(Array.from({ length: 2000 }, (_, n) => ({ _id: n, value: 1000 })));
  let moving = true;
  let moves = 0;
  const move = async (): Promise<void> => {
    for (; moving; moves += 1) {
      const [from, to] = moves % 2 === 0 ? [left, right] : [right, left];
      await busy.client.withSession((session) =>
        session.withTransaction(async () => {
          await from.updateOne({ _id: moves % 2000 }, { $inc: { value: -1 } }, { session });
          await to.updateOne({ _id: (moves * 7) % 2000 }, { $inc: { value: 1 } }, { session });
        }),
      );
    }
  };
  const movers = [move(), move()];
  const during: number[] = [];
  for (let copy = 0; copy < 3; copy += 1) {
    const before = moves;
    const target = await world.server();
    const file = join(world.folder, `busy-${copy}.backup`);
    await backUp({ settings: busy.settings, target: file, encryption });
    during.push(moves - before);
    await restore({ settings: target.settings, source: file, identities });
    let sum = 0;
    for (const db of ['clinic', 'pharmacy'])
      for await (const { value } of target.client.db(db).collection('tallies').find()) sum += Number(value);
    assert.equal(sum, 4_000_000);
  }
  moving = false;
  await Promise.all(movers);
  assert.ok(
    during.some((count) => count > 0),
    'nothing changed while the backups were made',
  );
});

test('restores what has expired since the backup, however often the server purges', async () => {
  const old = await world.server();
  const counts = old.client.db('identity').collection('counts');
  await counts.createIndex({ resetAt: 1 }, { expireAfterSeconds: 0 });
  await counts.insertMany(Array.from({ length: 3_000 }, () => ({ resetAt: new Date(0) })));
  const file = join(world.folder, 'expired.backup');
  await backUp({ settings: old.settings, target: file, encryption: 'off' });
  const target = await world.server(1);
  const { collections } = await restore({ settings: target.settings, source: file });
  assert.equal(collections.find(({ name }) => name === 'counts')?.count, 3_000);
  const [, index] = await target.client.db('identity').collection('counts').listIndexes().toArray();
  assert.equal((index as { expireAfterSeconds?: number }).expireAfterSeconds, 0);
});
