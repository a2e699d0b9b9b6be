import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { backUp } from './backup.ts';
import { demoKey } from './demo-key.ts';
import { identityFile, makeKey } from './encryption.ts';
import { encryption, key, openWorld, runMain } from './testing/world.ts';

const world = openWorld();
const source = await world.server();
await source.client.db('clinic').collection('records').insertOne({ n: 1 });
const encrypted = join(world.folder, 'good.backup.age');
await backUp({ settings: source.settings, target: encrypted, encryption });
after(() => world.close());

test('an encrypted backup can only be read with its identity, as the error explains', async () => {
  const verify = (env: Readonly<Record<string, string>>) => runMain(['verify', encrypted], source, { env });
  const identityPath = join(world.folder, 'identity.txt');
  writeFileSync(identityPath, identityFile(key, new Date(0)));
  assert.equal((await verify({ BACKUP_IDENTITY: '', BACKUP_IDENTITY_FILE: identityPath })).code, 0);
  for (const [env, message] of [
    [
      { BACKUP_IDENTITY: '' },
      /good\.backup\.age is encrypted: BACKUP_IDENTITY_FILE must name the file with the identity that decrypts it/,
    ],
    [
      { BACKUP_IDENTITY: (await makeKey()).identity },
      /good\.backup\.age is encrypted for another key: BACKUP_IDENTITY_FILE must name/,
    ],
    [{ BACKUP_IDENTITY: key.recipient }, /BACKUP_IDENTITY is wrong: it must hold age identities/],
  ] as const) {
    const { code, log } = await verify(env);
    assert.deepEqual([code, log.includes('AGE-SECRET-KEY-1' + key.identity.slice(16, 20))], [1, false]);
    assert.match(log, message);
  }
});

test('makes an unencrypted backup only if encryption is off', async () => {
  const target = join(world.folder, 'unencrypted');
  mkdirSync(target);
  const backup = (env: Readonly<Record<string, string>>) =>
    runMain(['backup', target], source, { env: { BACKUP_IDENTITY: '', ...env } });
  for (const [env, message] of [
    [{ BACKUP_RECIPIENTS: '' }, /BACKUP_RECIPIENTS is not set: it must be the public key .*BACKUP_ENCRYPTION=off/],
    [{ BACKUP_RECIPIENTS: 'age1nonsense' }, /BACKUP_RECIPIENTS is wrong: it must be age public keys/],
    [{ BACKUP_RECIPIENTS: key.identity }, /BACKUP_RECIPIENTS holds an identity, which decrypts backups/],
    [{ BACKUP_RECIPIENTS: demoKey.recipient }, /BACKUP_RECIPIENTS is the demo key/],
    [{ BACKUP_ENCRYPTION: 'maybe' }, /BACKUP_ENCRYPTION is wrong: it must be on or off/],
  ] as const) {
    const { code, log } = await backup(env);
    assert.equal(code, 1, log);
    assert.match(log, message);
    assert.doesNotMatch(log, /AGE-SECRET-KEY/);
    assert.deepEqual(readdirSync(target), []);
  }
  const { code, log } = await backup({ BACKUP_RECIPIENTS: '', BACKUP_ENCRYPTION: 'off' });
  assert.equal(code, 0, log);
  assert.match(log, /BACKUP_ENCRYPTION is off: anyone with this backup can read the health records/);
  const [name = '', ...others] = readdirSync(target).toSorted();
  assert.deepEqual([name.endsWith('Z.backup'), others], [true, ['clinic-backup.prom']]);
  // Unencrypted backups, as all were once, need no key.
  assert.equal((await runMain(['verify', join(target, name)], source, { env: { BACKUP_IDENTITY: '' } })).code, 0);
  assert.equal(
    (await runMain(['backup', '-'], source, { env: { BACKUP_RECIPIENTS: '', DEMO_MODE: 'true' } })).out.toString(
      'latin1',
      0,
      21,
    ),
    'age-encryption.org/v1',
  );
});

test('makes keys that decrypt what is encrypted to them, and never overwrites one', async () => {
  const path = join(world.folder, 'keys', 'identity.txt');
  const made = await runMain(['keys', path], source);
  assert.equal(made.code, 0, made.log);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const [, recipient = ''] = /^Recipient \(public\): (age1\w+)$/m.exec(made.log) ?? [];
  const file = readFileSync(path, 'utf8');
  assert.match(file, new RegExp(`^# created: .*Z\n# public key: ${recipient}\nAGE-SECRET-KEY-1\\w+\n$`));
  const { out } = await runMain(['backup', '-'], source, {
    env: { BACKUP_RECIPIENTS: `# ours\n${recipient}, ${key.recipient}` },
  });
  for (const env of [
    { BACKUP_IDENTITY: '', BACKUP_IDENTITY_FILE: path },
    { BACKUP_IDENTITY: key.identity, BACKUP_IDENTITY_FILE: '' },
  ])
    assert.equal((await runMain(['verify', '-'], source, { input: out, env })).code, 0);
  const again = await runMain(['keys', path], source);
  assert.deepEqual([again.code, readFileSync(path, 'utf8')], [1, file]);
  assert.match(again.log, /identity\.txt already exists, and backups may need it/);
  const shown = await runMain(['keys', '-'], source);
  assert.match(shown.out.toString(), /^# created: .*\n# public key: age1\w+\nAGE-SECRET-KEY-1\w+\n$/);
});
