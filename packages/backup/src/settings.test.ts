import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCommand, UsageError } from './arguments.ts';
import { readSettings, withoutSecrets } from './settings.ts';

const uri = 'mongodb://127.0.0.1:27017/?replicaSet=rs0';

test('reads the same settings as the services', () => {
  assert.deepEqual(readSettings({ MONGODB_URI: uri, MONGODB_USER: 'backup', MONGODB_PASSWORD: 'secret' }), {
    uri,
    auth: { username: 'backup', password: 'secret' },
  });
  assert.deepEqual(readSettings({ MONGODB_URI: uri, MONGODB_USER: '', ACCOUNTS_DIR: '/accounts' }), {
    uri,
    accountsDir: '/accounts',
  });
  assert.throws(() => readSettings({}), /^BackupError: MONGODB_URI is not set: it must be .*for example/);
  assert.throws(() => readSettings({ MONGODB_URI: 'http://x' }), /^BackupError: MONGODB_URI is wrong/);
  assert.throws(() => readSettings({ MONGODB_URI: uri, MONGODB_USER: 'backup' }), /MONGODB_PASSWORD is not set/);
  assert.throws(
    () => readSettings({ MONGODB_URI: uri, MONGODB_USER: 'backup', MONGODB_PASSWORD_FILE: '/nowhere' }),
    /MONGODB_PASSWORD_FILE is wrong: \/nowhere can't be read \(ENOENT\)/,
  );
});

test("rejects the demo's passwords outside demo mode", () => {
  const env = { MONGODB_URI: uri, MONGODB_USER: 'root', MONGODB_PASSWORD: 'demo-only-root' };
  assert.throws(
    () => readSettings(env),
    (error: Error) =>
      /MONGODB_PASSWORD is the demo password/.test(error.message) && !error.message.includes('demo-only'),
  );
  assert.equal(readSettings({ ...env, DEMO_MODE: 'true' }).auth?.username, 'root');
});

test('removes passwords from messages', () => {
  assert.equal(
    withoutSecrets('no p%40ss, p@ss or pw', {
      uri: 'mongodb://me:p%40ss@host',
      auth: { username: 'a', password: 'pw' },
    }),
    'no ***, *** or ***',
  );
});

test('parses its command line', () => {
  assert.deepEqual(parseCommand(['backup', '--databases', 'a,b', '/backups', '--keep=3']), {
    name: 'backup',
    target: '/backups',
    databases: ['a', 'b'],
    keep: 3,
  });
  assert.deepEqual(parseCommand(['restore', '-', '--replace', '--without', 'a.b, c.d.e']), {
    name: 'restore',
    source: '-',
    replace: true,
    without: ['a.b', 'c.d.e'],
  });
  for (const wrong of [
    [],
    ['backup'],
    ['backup', 'a', 'b'],
    ['backup', 'a', '--replace'],
    ['restore', 'a', '--force'],
    ['restore', 'a', '--without', 'b'],
    ['backup', '-', '--keep', '3'],
    ['backup', 'a', '--keep', '0'],
    ['backup', 'a', '--databases', ''],
    ['destroy', 'a'],
  ]) {
    assert.throws(() => parseCommand(wrong), UsageError, wrong.join(' '));
  }
});
