import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';
import { DataDirectoryError, startServer } from './index.ts';
import { outcome, spawnMain, startProcess, testFolder } from './testing/harness.ts';

const root = testFolder();

/** Asserts that a start ends with code 1 and one line on stderr. */
async function rejection(env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await outcome(spawnMain(env));
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
  return stderr;
}

test('won’t start in production mode, on other addresses, or without its settings', async () => {
  const dataDir = join(root, 'unused');
  assert.match(
    await rejection({ NODE_ENV: 'production', MONGO_EMBEDDED_DATA_DIR: dataDir }),
    /refused with NODE_ENV=production.*MONGODB_URI/,
  );
  assert.match(await rejection({}), /MONGO_EMBEDDED_DATA_DIR must name the folder/);
  assert.match(
    await rejection({ MONGO_EMBEDDED_DATA_DIR: dataDir, MONGO_EMBEDDED_PORT: 'many' }),
    /MONGO_EMBEDDED_PORT must be a port number such as 27018, not 'many'/,
  );
  assert.match(
    await rejection({ MONGO_EMBEDDED_DATA_DIR: dataDir, MONGO_EMBEDDED_PORT: '0', MONGO_EMBEDDED_HOST: '0.0.0.0' }),
    /listens on loopback only, not on 0\.0\.0\.0/,
  );
});

test('serves a private network if configured, with its advertised address; in production only for a demo', async () => {
  const env = {
    MONGO_EMBEDDED_PORT: '0',
    MONGO_EMBEDDED_DATA_DIR: join(root, 'private'),
    MONGO_EMBEDDED_HOST: '0.0.0.0',
    MONGO_EMBEDDED_PRIVATE_NETWORK: 'true',
  };
  assert.match(
    await rejection({ ...env, MONGO_EMBEDDED_ADVERTISED: 'mongo' }),
    /MONGO_EMBEDDED_ADVERTISED must be host:port .*for example mongo:27017/,
  );
  const child = spawnMain({
    ...env,
    MONGO_EMBEDDED_ADVERTISED: 'mongo:27017',
    NODE_ENV: 'production',
    DEMO_MODE: 'true',
  });
  const [chunk] = (await once(child.stdout as NonNullable<typeof child.stdout>, 'data')) as [Buffer];
  assert.equal((JSON.parse(chunk.toString()) as { uri: string }).uri, 'mongodb://mongo:27017/?replicaSet=rs0');
  child.kill('SIGTERM');
  await once(child, 'exit');
});

test('rejects a data directory in use by another process, and names the process', async () => {
  const dataDir = join(root, 'held');
  const holder = await startProcess(dataDir);
  assert.match(
    await rejection({ MONGO_EMBEDDED_PORT: '0', MONGO_EMBEDDED_DATA_DIR: dataDir }),
    new RegExp(`in use by process ${holder.pid};`),
  );
  await assert.rejects(startServer({ dataDir, port: 0 }), DataDirectoryError);
  assert.equal(await holder.stop(), 0);
});

test('rejects a directory in use by the same process', async () => {
  const dataDir = join(root, 'twice');
  const server = await startServer({ dataDir, port: 0 });
  await assert.rejects(startServer({ dataDir, port: 0 }), new RegExp(`in use by process ${process.pid};`));
  await server.close();
  await (await startServer({ dataDir, port: 0 })).close();
});

test('starts after kill -9 even though the dead process’s id is still recorded', async () => {
  const dataDir = join(root, 'killed');
  await (await startProcess(dataDir)).kill();
  const again = await startProcess(dataDir);
  assert.equal(await again.stop(), 0);
});

test('keeps its data across restarts', async () => {
  const dataDir = join(root, 'kept');
  for (const start of [1, 2, 3]) {
    const server = await startServer({ dataDir, port: 0 });
    const client = new MongoClient(server.uri);
    const collection = client.db('clinic').collection('starts');
    if (start === 1) await collection.createIndex({ start: 1 }, { unique: true });
    await collection.insertOne({ start });
    assert.equal(await collection.countDocuments(), start);
    assert.equal((await collection.indexes()).length, 2);
    await client.close();
    await server.close();
  }
});

test('reports a damaged file and what to do, and leaves it unchanged', async () => {
  const dataDir = join(root, 'damaged');
  mkdirSync(dataDir);
  const file = join(dataDir, 'clinic.sqlite');
  for (const garbage of [Buffer.alloc(8192, 'not a database '), Buffer.alloc(0)]) {
    writeFileSync(file, garbage);
    const line = await rejection({ MONGO_EMBEDDED_PORT: '0', MONGO_EMBEDDED_DATA_DIR: dataDir });
    assert.match(
      line,
      /clinic\.sqlite is damaged or unreadable .*nothing was changed in it\. Restore it from a backup, or move it away/,
    );
    assert.deepEqual(readFileSync(file), garbage);
  }
  rmSync(file);
  writeFileSync(`${file}-wal`, 'the log of a lost file');
  assert.match(
    await rejection({ MONGO_EMBEDDED_PORT: '0', MONGO_EMBEDDED_DATA_DIR: dataDir }),
    /the file is missing, its write-ahead log is not/,
  );
});

test('opens a file from before formats were numbered, and rebuilds its indexes', async () => {
  const dataDir = join(root, 'older');
  const before = await startServer({ dataDir, port: 0 });
  const filling = new MongoClient(before.uri);
  const records = filling.db('clinic').collection('records');
  await records.createIndex({ tags: 1 });
  await records.insertMany([{ tags: ['a', 'b'] }, { tags: 'c' }]);
  await filling.close();
  await before.close();
  const file = new DatabaseSync(join(dataDir, 'clinic.sqlite'));
  const [index] = file.prepare('SELECT max(id) AS id FROM indexes').all();
  file.exec(`PRAGMA user_version = 0; UPDATE indexes SET multikey = 1; DELETE FROM x${Number(index?.['id'])}`);
  file.close();
  for (const start of [1, 2]) {
    const server = await startServer({ dataDir, port: 0 });
    const client = new MongoClient(server.uri);
    assert.equal(
      (
        await client
          .db('clinic')
          .collection('records')
          .find({ tags: { $in: ['b', 'c'] } })
          .hint({ tags: 1 })
          .toArray()
      ).length,
      2,
      `start ${start}`,
    );
    await client.close();
    await server.close();
  }
});

test('rejects a file of a newer format or of another program with the reason, and leaves it unchanged', async () => {
  for (const [name, sql, message] of [
    [
      'newer',
      'PRAGMA user_version = 7',
      /clinic\.sqlite has format 7, and this version of the program knows formats up to 1: a newer version wrote it\. Start that one, or move the file away to start empty and restore a backup into it; nothing was changed in it\n$/,
    ],
    [
      'foreign',
      'CREATE TABLE songs (name TEXT)',
      /clinic\.sqlite is an SQLite file of another program \(with tables songs\), or move/,
    ],
  ] as const) {
    const dataDir = join(root, name);
    mkdirSync(dataDir);
    const file = new DatabaseSync(join(dataDir, 'clinic.sqlite'));
    file.exec(sql);
    file.close();
    const bytes = readFileSync(join(dataDir, 'clinic.sqlite'));
    const line = await rejection({ MONGO_EMBEDDED_PORT: '0', MONGO_EMBEDDED_DATA_DIR: dataDir });
    assert.match(line, message);
    assert.doesNotMatch(line, /damaged/);
    assert.deepEqual(readFileSync(join(dataDir, 'clinic.sqlite')), bytes);
  }
});

test('detects damage inside the file after a crash', async () => {
  const dataDir = join(root, 'crashed');
  const server = await startProcess(dataDir);
  const client = new MongoClient(server.uri);
  await client
    .db('clinic')
    .collection('records')
    .insertMany(Array.from({ length: 2000 }, (_, n) => ({ n, text: 'x'.repeat(200) })));
  await client.close();
  assert.equal(await server.stop(), 0);
  const file = join(dataDir, 'clinic.sqlite');
  const bytes = readFileSync(file);
  bytes.fill(0xab, 5 * 4096, 40 * 4096);
  writeFileSync(file, bytes);
  // As left by a killed process.
  writeFileSync(join(dataDir, 'holder.pid'), '1\n');
  assert.match(
    await rejection({ MONGO_EMBEDDED_PORT: '0', MONGO_EMBEDDED_DATA_DIR: dataDir }),
    /is damaged or unreadable/,
  );
});

test('reports when it is listening, and stops cleanly on a signal or when its parent exits', async () => {
  const child = spawnMain({ MONGO_EMBEDDED_PORT: '0', MONGO_EMBEDDED_DATA_DIR: join(root, 'child') }, true);
  const [chunk] = (await once(child.stdout as NonNullable<typeof child.stdout>, 'data')) as [Buffer];
  const line = JSON.parse(chunk.toString()) as { msg: string; uri: string; pid: number };
  assert.equal(line.msg, 'listening');
  assert.equal(line.pid, child.pid);
  assert.match(line.uri, /^mongodb:\/\/127\.0\.0\.1:\d+\/\?replicaSet=rs0$/);
  const client = new MongoClient(line.uri);
  await client.db('clinic').collection('records').insertOne({ kept: true });
  child.disconnect();
  const [code] = (await once(child, 'exit')) as [number];
  assert.equal(code, 0);
  await client.close();
});
