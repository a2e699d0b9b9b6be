import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { databaseCredentials } from './database-credentials.ts';
import { baseSettings, readSettings, SettingsError } from '../settings/settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'clinic-secrets-'));
after(() => rmSync(folder, { recursive: true }));

const read = (env: Readonly<Record<string, string | undefined>>) =>
  databaseCredentials(
    readSettings(baseSettings, {
      PORT: '0',
      MONGODB_URI: 'mongodb://mongo:27017',
      MONGODB_DATABASE: 'clinic',
      IDENTITY_URL: 'http://identity',
      ...env,
    }),
  );

test('takes the password from a file, without the line break at its end', () => {
  const file = join(folder, 'mongo-clinic');
  writeFileSync(file, 'secret\n');
  assert.deepEqual(read({ MONGODB_USER: 'clinic', MONGODB_PASSWORD_FILE: file }), {
    username: 'clinic',
    password: 'secret',
  });
  assert.equal(read({}), undefined);
});

test('names the missing file, and what it should contain', () => {
  assert.throws(
    () => read({ MONGODB_USER: 'clinic', MONGODB_PASSWORD_FILE: join(folder, 'none') }),
    (error: Error) => {
      assert.ok(error instanceof SettingsError);
      assert.match(
        error.message,
        /^MONGODB_PASSWORD_FILE is wrong: .*none can't be read \(ENOENT\); it must be the path of a file that holds MONGODB_PASSWORD, for example /,
      );
      return true;
    },
  );
});

test('requires user and password together', () => {
  assert.throws(
    () => read({ MONGODB_USER: 'clinic' }),
    /^SettingsError: MONGODB_PASSWORD is not set, but MONGODB_USER is: /,
  );
  assert.throws(
    () => read({ MONGODB_PASSWORD: 'secret' }),
    /^SettingsError: MONGODB_USER is not set, but MONGODB_PASSWORD is: /,
  );
});

test("rejects the demo's passwords outside demo mode, in one line", () => {
  const password = 'demo-only-clinic';
  assert.deepEqual(read({ MONGODB_USER: 'clinic', MONGODB_PASSWORD: password, DEMO_MODE: 'true' }), {
    username: 'clinic',
    password,
  });
  for (const env of [
    { MONGODB_USER: 'clinic', MONGODB_PASSWORD: password },
    { MONGODB_URI: `mongodb://clinic:${password}@mongo` },
  ]) {
    assert.throws(
      () => read(env),
      (error: Error) => {
        assert.match(error.message, /^MONGODB_PASSWORD is the demo password, .*for example MONGODB_PASSWORD_FILE=/);
        assert.doesNotMatch(error.message, /\n|demo-only/);
        return true;
      },
    );
  }
});
