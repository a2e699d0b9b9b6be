import assert from 'node:assert/strict';
import { existsSync, mkdirSync, openSync, closeSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { backUp } from './backup.ts';
import { restore } from './restore.ts';
import { contentOf, openWorld, runMain, type Server, type World } from './test/world.ts';

let world: World;
let source: Server;
let file: string;

before(async () => {
  world = openWorld();
  source = await world.server();
  for (const db of ['clinic', 'pharmacy']) await source.client.db(db).collection('records').insertMany(Array.from({ length: 3000 }, (_, n) => ({ n, text: `${db} ${Math.random()}` })));
  file = join(world.folder, 'good.backup');
  await backUp({ settings: source.settings, target: file });
});
after(() => world.close());

/** What a restore of these bytes says; it must not have written anything. */
async function refused(bytes: Buffer): Promise<string> {
  const target = await world.server();
  const bad = join(world.folder, 'bad.backup');
  writeFileSync(bad, bytes);
  const { code, said } = await runMain(['restore', bad], target);
  assert.equal(code, 1, said);
  assert.deepEqual(await target.client.db().admin().listDatabases({ nameOnly: true }).then(({ databases }) => databases), []);
  await assert.rejects(restore({ settings: target.settings, source: bad, replace: true }), { name: 'BackupError' });
  assert.doesNotMatch(said, /\n\s+at /, 'a stack is no message');
  return said;
}

test('refuses a file that is cut off, anywhere', async () => {
  const whole = readFileSync(file);
  for (const length of [10, 100, Math.floor(whole.length / 2), whole.length - 1]) assert.match(await refused(whole.subarray(0, length)), /bad\.backup is cut off: it has [\d,]+ bytes and not the mark/);
  assert.match(await refused(Buffer.alloc(0)), /bad\.backup is empty/);
});

test('refuses a file in which one bit is another', async () => {
  const whole = readFileSync(file);
  for (const position of [20, Math.floor(whole.length / 2), whole.length - 30]) {
    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(position) ^ 1, position);
    assert.match(await refused(changed), /bad\.backup was changed since it was made, or its disk is failing/);
  }
  assert.match(await refused(Buffer.concat([whole, Buffer.from('more')])), /is cut off/);
});

test('says what another file is', async () => {
  assert.match(await refused(Buffer.from('a letter to the editor, of some length')), /bad\.backup is no backup of the clinic$/m);
  assert.match(await refused(Buffer.from('age-encryption.org/v1\n-> X25519')), /encrypted with age: decrypt it first/);
  assert.match(await refused(Buffer.from('CLINIC-BACKUP 2\nand so on')), /a backup in a format of a newer version/);
  const { code, said } = await runMain(['verify', join(world.folder, 'none')], source);
  assert.equal(code, 1);
  assert.match(said, /none can't be read \(ENOENT\)/);
});

test('writes into a system with data only when told to replace it', async () => {
  const target = await world.server();
  await target.client.db('clinic').collection('precious').insertOne({ kept: true });
  await target.client.db('other').collection('records').insertOne({ kept: true });
  const accountsDir = join(world.folder, 'accounts');
  mkdirSync(accountsDir);
  const accounts = JSON.stringify({ users: [{ localId: 'a' }] });
  writeFileSync(join(accountsDir, 'demo-clinic.json'), accounts);
  const before = await contentOf(target, ['clinic', 'other']);
  const { code, said } = await runMain(['restore', file], target);
  assert.equal(code, 1);
  assert.match(said, /the system is not empty: there are documents in clinic\.precious, which a restore would delete: .*--replace/);
  assert.deepEqual(await contentOf(target, ['clinic', 'other', 'pharmacy']), before);

  const withAccounts = join(world.folder, 'with-accounts.backup');
  await backUp({ settings: { ...source.settings, accountsDir }, target: withAccounts });
  const empty = await world.server();
  await assert.rejects(restore({ settings: { ...empty.settings, accountsDir }, source: withAccounts }), /accounts has accounts already \(demo-clinic\.json\)/);
  assert.deepEqual(await contentOf(empty, ['clinic', 'pharmacy']), {});

  const replaced = await runMain(['restore', file, '--replace'], target);
  assert.equal(replaced.code, 0, replaced.said);
  assert.deepEqual(await contentOf(target, ['clinic', 'pharmacy']), await contentOf(source, ['clinic', 'pharmacy']));
  assert.equal(await target.client.db('other').collection('records').countDocuments(), 1);
});

test('a restore that was broken off can be run again, and no backup is made of the half of it', async () => {
  const broken = await world.process('broken');
  const first = restore({ settings: broken.settings, source: file, say: (text) => text.startsWith('clinic.records') && void broken.kill() });
  await assert.rejects(first, { name: 'BackupError', message: /run it again/ });
  const again = await world.process('broken');
  await assert.rejects(backUp({ settings: again.settings, target: join(world.folder, 'half.backup') }), /is just being restored, or a restore was broken off/);
  assert.ok(!existsSync(join(world.folder, 'half.backup')));
  await restore({ settings: again.settings, source: file });
  assert.deepEqual(await contentOf(again, ['clinic', 'pharmacy']), await contentOf(source, ['clinic', 'pharmacy']));
});

test('leaves no file when it is broken off, and a restore that was can be run again', async () => {
  const folder = join(world.folder, 'broken-off');
  const stop = new AbortController();
  await assert.rejects(backUp({ settings: source.settings, target: `${folder}/`, signal: stop.signal, say: () => stop.abort() }), { name: 'AbortError' });
  assert.deepEqual(readdirSync(folder), []);
  const target = await world.server();
  const end = new AbortController();
  await assert.rejects(restore({ settings: target.settings, source: file, signal: end.signal, say: (text) => text.startsWith('clinic.records') && end.abort() }), { name: 'AbortError' });
  await restore({ settings: target.settings, source: file });
  assert.deepEqual(await contentOf(target, ['clinic', 'pharmacy']), await contentOf(source, ['clinic', 'pharmacy']));
});

test('leaves no file when the database goes away in the middle', async () => {
  const dying = await world.process('dying');
  for (const name of ['a', 'b']) await dying.client.db('clinic').collection(name).insertMany(Array.from({ length: 3000 }, () => ({ text: 'x'.repeat(2000) })));
  const folder = join(world.folder, 'nothing');
  await assert.rejects(backUp({ settings: dying.settings, target: `${folder}/`, say: (text) => text.startsWith('clinic.a') && void dying.kill() }), { name: 'BackupError', message: /the backup was not made|no database answers/ });
  assert.deepEqual(readdirSync(folder), []);
});

test('leaves no file on a full disk, and says so', { skip: process.platform !== 'linux' && 'needs limits and /dev/full' }, async () => {
  const folder = join(world.folder, 'full');
  mkdirSync(folder);
  // No file may grow beyond 16 blocks of 512 bytes.
  const { code, said } = await runMain(['backup', join(folder, 'a.backup')], source, { limit: 'ulimit -f 16' });
  assert.equal(code, 1);
  assert.match(said, /there is no space left for .*a\.backup: nothing was kept of it/);
  assert.deepEqual(readdirSync(folder), []);
  const full = openSync('/dev/full', 'w');
  const piped = await runMain(['backup', '-'], source, { out: full });
  closeSync(full);
  assert.equal(piped.code, 1, piped.said);
  assert.match(piped.said, /ENOSPC/);
});

test('says what it can not reach, without the password', async () => {
  const { code, said } = await runMain(['backup', join(world.folder, 'x.backup')], { ...source, settings: { uri: 'mongodb://me:hunter2@127.0.0.1:1/?serverSelectionTimeoutMS=1' } });
  assert.equal(code, 1);
  assert.match(said, /no database answers at 127\.0\.0\.1:1/);
  assert.doesNotMatch(said, /hunter2/);
  const empty = await world.server();
  await assert.rejects(backUp({ settings: empty.settings, target: join(world.folder, 'x.backup') }), /there is nothing to back up: the server has no database/);
});
