import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readSettings } from './settings.ts';

describe('readSettings', () => {
  const complete = { AUTH_EMULATOR_DATA_DIR: 'data' };

  it('has defaults for everything but the folder', () => {
    assert.deepEqual(readSettings(complete), {
      port: 9099,
      host: '127.0.0.1',
      projectId: 'demo-clinic',
      dataFile: join('data', 'demo-clinic.json'),
      limits: { perAddress: 300, wrongPasswords: 10 },
    });
  });

  it('reads each setting', () => {
    assert.deepEqual(
      readSettings({
        ...complete,
        AUTH_EMULATOR_PORT: '0',
        AUTH_EMULATOR_HOST: '0.0.0.0',
        FIREBASE_PROJECT_ID: 'demo-other',
        SIGN_INS_PER_MINUTE_AND_ADDRESS: '50',
        WRONG_PASSWORDS_PER_MINUTE_AND_ACCOUNT: '5',
      }),
      {
        port: 0,
        host: '0.0.0.0',
        projectId: 'demo-other',
        dataFile: join('data', 'demo-other.json'),
        limits: { perAddress: 50, wrongPasswords: 5 },
      },
    );
  });

  for (const [name, value] of [
    ['AUTH_EMULATOR_PORT', '65536'],
    ['AUTH_EMULATOR_PORT', '-1'],
    ['AUTH_EMULATOR_PORT', 'http'],
    ['AUTH_EMULATOR_HOST', 'everywhere'],
    ['FIREBASE_PROJECT_ID', '../etc'],
    ['FIREBASE_PROJECT_ID', 'my-clinic'],
    ['FIREBASE_PROJECT_ID', 'demo-'],
    ['AUTH_EMULATOR_DATA_DIR', ''],
    ['SIGN_INS_PER_MINUTE_AND_ADDRESS', '0'],
    ['WRONG_PASSWORDS_PER_MINUTE_AND_ACCOUNT', 'many'],
  ] as const) {
    it(`names ${name} when it is '${value}'`, () => {
      assert.throws(() => readSettings({ ...complete, [name]: value }), {
        message: new RegExp(`^${name} must be .+, for example .+$`),
      });
    });
  }
});
