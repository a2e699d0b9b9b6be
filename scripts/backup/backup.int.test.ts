// Tests `npm run backup`, `backup:verify` and `restore` on the data of `npm start`.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startServer } from '@clinic/mongo-embedded';
import { programEnv } from '@clinic/service-kit/testing/program-env';
import { MongoClient } from 'mongodb';
import { takeLock } from '../stack/lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'clinic-npm-backup-'));
const dataDir = join(folder, 'data');
const accounts = JSON.stringify({ version: 1, projectId: 'demo-clinic', users: [{ localId: 'a' }], codes: [] });
let file: string;

/** Opens an embedded database's data exclusively. */
async function withDatabase<T>(dir: string, work: (client: MongoClient, uri: string) => Promise<T>): Promise<T> {
  const server = await startServer({ port: 0, dataDir: join(dir, 'mongo') });
  const client = new MongoClient(server.uri);
  try {
    return await work(client, server.uri);
  } finally {
    await client.close();
    await server.close();
  }
}

async function run(args: readonly string[], dir = dataDir): Promise<{ code: number | null; out: Buffer; log: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
    env: programEnv({ DATA_DIR: dir }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out: Buffer[] = [];
  let log = '';
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out: Buffer.concat(out), log };
}

before(async () => {
  mkdirSync(join(dataDir, 'auth'), { recursive: true });
  writeFileSync(join(dataDir, 'auth', 'demo-clinic.json'), accounts);
  await withDatabase(dataDir, (client) => client.db('clinic').collection('records').insertOne({ kept: true }));
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('backs up a clinic that is not running, next to its data', async () => {
  const { code, log } = await run(['backup']);
  assert.equal(code, 0, log);
  const [name, ...others] = readdirSync(join(folder, 'backups')).toSorted();
  assert.deepEqual(others, ['clinic-backup.prom']);
  file = join(folder, 'backups', name ?? '');
  assert.match(
    log,
    /Backed up clinic \(1 documents in 1 collections\) and the sign-in accounts in .* s: .*\.backup\.age/,
  );
  const identity = join(folder, 'backup-keys', 'identity.txt');
  assert.match(
    log,
    /^Backups are encrypted\. Their key is new, in .*identity\.txt: keep a copy of that file somewhere else/,
  );
  assert.equal(statSync(identity).mode & 0o777, 0o600);
  assert.equal(readFileSync(file).toString('latin1', 0, 21), 'age-encryption.org/v1');
  assert.match((await run(['keys'])).log, /identity\.txt already exists/);
  assert.ok(!existsSync(join(dataDir, 'running.json')));
  assert.match((await run(['verify', file])).log, /Complete and unchanged: clinic/);
});

test('backs up a running clinic, but won’t restore into it', async () => {
  const lock = await takeLock(dataDir, 8080);
  try {
    await withDatabase(dataDir, async (client, uri) => {
      lock.noteDatabase(uri);
      lock.note([]);
      await client.db('pharmacy').collection('records').insertOne({ late: true });
      const { code, out, log } = await run(['backup', '-']);
      assert.equal(code, 0, log);
      assert.match(log, /Backed up clinic, pharmacy/);
      assert.doesNotMatch(log, /key is new/);
      assert.equal(out.toString('latin1', 0, 21), 'age-encryption.org/v1');
      const rejected = await run(['restore', file, '--replace']);
      assert.equal(rejected.code, 1);
      assert.match(rejected.log, /The clinic is running on .*: stop it with Ctrl-C first, then restore/);
      assert.equal(await client.db('pharmacy').collection('records').countDocuments(), 1);
    });
  } finally {
    lock.release();
  }
});

test('restores to an empty folder', async () => {
  const elsewhere = join(folder, 'elsewhere', 'data');
  const without = await run(['restore', file], elsewhere);
  assert.equal(without.code, 1);
  assert.match(without.log, /is encrypted: BACKUP_IDENTITY_FILE must name the file with the identity/);
  mkdirSync(join(folder, 'elsewhere', 'backup-keys'));
  copyFileSync(join(folder, 'backup-keys', 'identity.txt'), join(folder, 'elsewhere', 'backup-keys', 'identity.txt'));
  const { code, log } = await run(['restore', file], elsewhere);
  assert.equal(code, 0, log);
  assert.deepEqual(
    await withDatabase(
      elsewhere,
      async (client) => (await client.db('clinic').collection('records').findOne())?.['kept'] as unknown,
    ),
    true,
  );
  assert.equal(readFileSync(join(elsewhere, 'auth', 'demo-clinic.json'), 'utf8'), accounts);
  assert.match((await run(['restore', file], elsewhere)).log, /has accounts already/);
  assert.match((await run(['backup'], join(folder, 'nothing'))).log, /There is no data in .*nothing yet/);
  assert.equal((await run(['restore'])).code, 2);
});
