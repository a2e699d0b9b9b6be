import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, openSync, closeSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { backUp } from './backup.ts';
import { restore } from './restore.ts';
import { encryptedTo } from './encryption.ts';
import { contentOf, encryption, identities, key, openWorld, runMain } from './testing/world.ts';

const world = openWorld();
const source = await world.server();
for (const db of ['clinic', 'pharmacy'])
  await source.client
    .db(db)
    .collection('records')
    .insertMany(Array.from({ length: 600 }, (_, n) => ({ n, text: `${db} ${randomBytes(100).toString('hex')}` })));
const file = join(world.folder, 'good.backup');
await backUp({ settings: source.settings, target: file, encryption: 'off' });
after(() => world.close());

/** Empty, and stays so: nothing that is rejected writes. */
const untouched = await world.server();

/** The error message of a restore of these bytes, after checking that it wrote nothing. */
async function rejection(bytes: Buffer): Promise<string> {
  const bad = join(world.folder, 'bad.backup');
  writeFileSync(bad, bytes);
  const messages: string[] = [];
  for (const replace of [false, true])
    await assert.rejects(
      restore({ settings: untouched.settings, source: bad, identities, replace }),
      (error: Error) => {
        assert.equal(error.name, 'BackupError', error.stack);
        return messages.push(error.message) > 0;
      },
    );
  const { databases } = await untouched.client.db().admin().listDatabases({ nameOnly: true });
  assert.deepEqual(databases, []);
  assert.equal(messages[0], messages[1]);
  return messages[0] ?? '';
}

test('the command says what is wrong with a file, without a stack trace', async () => {
  const bad = join(world.folder, 'bad.backup');
  writeFileSync(bad, 'a letter to the editor, of some length');
  const { code, log } = await runMain(['restore', bad], untouched);
  assert.equal(code, 1, log);
  assert.match(log, /bad\.backup isn't a backup of the clinic$/m);
  assert.doesNotMatch(log, /\n\s+at /);
});

test('rejects a file that is truncated anywhere', async () => {
  const whole = readFileSync(file);
  for (const length of [10, 100, Math.floor(whole.length / 2), whole.length - 1])
    assert.match(
      await rejection(whole.subarray(0, length)),
      /bad\.backup is cut off: it has [\d,]+ bytes and lacks the mark/,
    );
  assert.match(await rejection(Buffer.alloc(0)), /bad\.backup is empty/);
});

test('rejects a file with a flipped bit', async () => {
  const whole = readFileSync(file);
  for (const position of [20, Math.floor(whole.length / 2), whole.length - 30]) {
    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(position) ^ 1, position);
    assert.match(await rejection(changed), /bad\.backup has changed since it was made, or its disk is failing/);
  }
  assert.match(await rejection(Buffer.concat([whole, Buffer.from('more')])), /is cut off/);
});

test('rejects an encrypted file that is truncated or changed anywhere, and writes nothing', async () => {
  const encrypted = join(world.folder, 'good.backup.age');
  await backUp({ settings: source.settings, target: encrypted, encryption });
  const whole = readFileSync(encrypted);
  // age encrypts in chunks of 64 KB.
  assert.ok(whole.length > 80_000);
  for (const length of [100, 300, 66_000, whole.length - 1])
    assert.match(
      await rejection(whole.subarray(0, length)),
      /bad\.backup is cut off, or has changed since it was made/,
    );
  for (const position of [200, 500, 70_000, whole.length - 5]) {
    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(position) ^ 1, position);
    assert.match(
      await rejection(changed),
      /bad\.backup is (?:cut off, or has changed since it was made|encrypted for another key)/,
      String(position),
    );
  }
  assert.match(await rejection(Buffer.concat([whole, Buffer.from('more')])), /is cut off, or has changed/);
  // Another file, encrypted to the same recipient.
  const other = await buffer(encryptedTo([key.recipient])(Readable.from([Buffer.from('a letter to the editor')])));
  assert.match(await rejection(other), /bad\.backup isn't a backup of the clinic$/m);
});

test('recognises files that are not backups', async () => {
  assert.match(
    await rejection(Buffer.from('a letter to the editor, of some length')),
    /bad\.backup isn't a backup of the clinic$/m,
  );
  assert.match(
    await rejection(Buffer.from('-----BEGIN AGE ENCRYPTED FILE-----')),
    /encrypted with age in text format: decrypt it first/,
  );
  assert.match(await rejection(Buffer.from('CLINIC-BACKUP 2\nand so on')), /a backup in the format of a newer version/);
  const { code, log } = await runMain(['verify', join(world.folder, 'none')], source);
  assert.equal(code, 1);
  assert.match(log, /none can't be read \(ENOENT\)/);
});

test('writes into a system with data only with --replace', async () => {
  const target = await world.server();
  await target.client.db('clinic').collection('precious').insertOne({ kept: true });
  await target.client.db('other').collection('records').insertOne({ kept: true });
  const accountsDir = join(world.folder, 'accounts');
  mkdirSync(accountsDir);
  const accounts = JSON.stringify({ users: [{ localId: 'a' }] });
  writeFileSync(join(accountsDir, 'demo-clinic.json'), accounts);
  const before = await contentOf(target, ['clinic', 'other']);
  const { code, log } = await runMain(['restore', file], target);
  assert.equal(code, 1);
  assert.match(
    log,
    /the system is not empty: there are documents in clinic\.precious, which a restore would delete: .*--replace/,
  );
  assert.deepEqual(await contentOf(target, ['clinic', 'other', 'pharmacy']), before);

  const withAccounts = join(world.folder, 'with-accounts.backup');
  await backUp({ settings: { ...source.settings, accountsDir }, target: withAccounts, encryption });
  const empty = await world.server();
  await assert.rejects(
    restore({ settings: { ...empty.settings, accountsDir }, source: withAccounts, identities }),
    /accounts has accounts already \(demo-clinic\.json\)/,
  );
  assert.deepEqual(await contentOf(empty, ['clinic', 'pharmacy']), {});

  const replaced = await runMain(['restore', file, '--replace'], target);
  assert.equal(replaced.code, 0, replaced.log);
  assert.deepEqual(await contentOf(target, ['clinic', 'pharmacy']), await contentOf(source, ['clinic', 'pharmacy']));
  assert.equal(await target.client.db('other').collection('records').countDocuments(), 1);
});

test('an interrupted restore can be run again, and blocks backups until then', async () => {
  const broken = await world.process('broken');
  const first = restore({
    settings: broken.settings,
    source: file,
    say: (text) => text.startsWith('clinic.records') && void broken.kill(),
  });
  await assert.rejects(first, { name: 'BackupError', message: /run it again/ });
  const again = await world.process('broken');
  await assert.rejects(
    backUp({ settings: again.settings, target: join(world.folder, 'half.backup'), encryption }),
    /is being restored, or a restore was interrupted/,
  );
  assert.ok(!existsSync(join(world.folder, 'half.backup')));
  await restore({ settings: again.settings, source: file });
  assert.deepEqual(await contentOf(again, ['clinic', 'pharmacy']), await contentOf(source, ['clinic', 'pharmacy']));
});

test('leaves no file when it is aborted, and an aborted restore can be run again', async () => {
  const folder = join(world.folder, 'broken-off');
  const stop = new AbortController();
  await assert.rejects(
    backUp({
      settings: source.settings,
      target: `${folder}/`,
      encryption,
      signal: stop.signal,
      say: () => stop.abort(),
    }),
    { name: 'AbortError' },
  );
  assert.deepEqual(readdirSync(folder), []);
  const target = await world.server();
  const end = new AbortController();
  await assert.rejects(
    restore({
      settings: target.settings,
      source: file,
      signal: end.signal,
      say: (text) => text.startsWith('clinic.records') && end.abort(),
    }),
    { name: 'AbortError' },
  );
  await restore({ settings: target.settings, source: file });
  assert.deepEqual(await contentOf(target, ['clinic', 'pharmacy']), await contentOf(source, ['clinic', 'pharmacy']));
});

test('leaves no file when the database becomes unavailable midway', async () => {
  const dying = await world.process('dying');
  for (const name of ['a', 'b'])
    await dying.client
      .db('clinic')
      .collection(name)
      .insertMany(Array.from({ length: 3000 }, () => ({ text: 'x'.repeat(2000) })));
  const folder = join(world.folder, 'nothing');
  await assert.rejects(
    backUp({
      settings: dying.settings,
      target: `${folder}/`,
      encryption,
      say: (text) => text.startsWith('clinic.a') && void dying.kill(),
    }),
    { name: 'BackupError', message: /the backup was not made|no database responds/ },
  );
  assert.deepEqual(readdirSync(folder), []);
});

test(
  'leaves no file on a full disk, and says so',
  { skip: process.platform !== 'linux' && 'needs limits and /dev/full' },
  async () => {
    const folder = join(world.folder, 'full');
    mkdirSync(folder);
    // Limits files to 16 blocks of 512 bytes.
    const { code, log } = await runMain(['backup', join(folder, 'a.backup')], source, { limit: 'ulimit -f 16' });
    assert.equal(code, 1);
    assert.match(log, /there's no space left for .*a\.backup: it wasn't kept/);
    assert.deepEqual(readdirSync(folder), []);
    const full = openSync('/dev/full', 'w');
    const piped = await runMain(['backup', '-'], source, { out: full });
    closeSync(full);
    assert.equal(piped.code, 1, piped.log);
    assert.match(piped.log, /ENOSPC/);
  },
);

test('names the server it cannot reach, without the password', async () => {
  const { code, log } = await runMain(['backup', join(world.folder, 'x.backup')], {
    ...source,
    settings: { uri: 'mongodb://me:hunter2@127.0.0.1:1/?serverSelectionTimeoutMS=1' },
  });
  assert.equal(code, 1);
  assert.match(log, /no database responds at 127\.0\.0\.1:1/);
  assert.doesNotMatch(log, /hunter2/);
  const empty = await world.server();
  await assert.rejects(
    backUp({ settings: empty.settings, target: join(world.folder, 'x.backup'), encryption }),
    /there is nothing to back up: the server has no database/,
  );
});
