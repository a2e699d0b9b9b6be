import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  baseSettings,
  choice,
  cookiesAreSecure,
  flag,
  httpUrl,
  integer,
  origins,
  readSettings,
  text,
  timeZone,
} from './settings.ts';

const failure = (spec: Parameters<typeof readSettings>[0], env: Record<string, string>): string => {
  try {
    readSettings(spec, env);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('the settings were accepted');
};

test('reads values, defaults and optional settings', () => {
  const spec = {
    A: integer({ default: 3 }),
    B: flag({ default: true }),
    C: httpUrl(),
    D: origins({ default: [] }),
    E: timeZone(),
  };
  assert.deepEqual(
    readSettings(spec, {
      B: 'false',
      C: 'https://x.example/',
      D: 'https://a.example, http://b.example:81',
      E: 'Asia/Dhaka',
      A: ' ',
    }),
    {
      A: 3,
      B: false,
      C: 'https://x.example',
      D: ['https://a.example', 'http://b.example:81'],
      E: 'Asia/Dhaka',
    },
  );
});

test('names the variable, what it must be and an example, in one line', () => {
  assert.equal(
    failure({ PORT: baseSettings.PORT }, {}),
    'PORT is not set: it must be a whole number from 0 to 65535, for example PORT=4001',
  );
  assert.equal(
    failure({ ZONE: timeZone({ default: 'Asia/Dhaka' }) }, { ZONE: 'Mars' }),
    'ZONE is wrong: it must be the IANA name of a time zone, for example ZONE=Asia/Dhaka',
  );
});

test('never shows an invalid value, which may be a secret', () => {
  assert.doesNotMatch(
    failure({ MONGODB_URI: baseSettings.MONGODB_URI }, { MONGODB_URI: 'http://root:hunter2@db' }),
    /hunter2/,
  );
});

test('rejects values that are almost valid', () => {
  for (const [setting, value] of [
    [integer({ min: 1, max: 9 }), '10'],
    [integer(), '1e3'],
    [integer(), '0x10'],
    [integer(), '1.5'],
    [flag(), 'yes'],
    [httpUrl(), 'ftp://x'],
    [origins(), 'https://a.example/path'],
    [choice(['a', 'b']), 'A'],
    [baseSettings.MONGODB_DATABASE, 'a b'],
  ] as const) {
    assert.match(failure({ X: setting }, { X: value }), /^X is wrong: it must be /);
  }
  assert.equal(readSettings({ X: text() }, { X: ' a ' }).X, 'a');
});

test('secures cookies in production, not in demo mode, unless COOKIE_SECURE says otherwise', () => {
  const settings = { COOKIE_SECURE: undefined, NODE_ENV: 'production', DEMO_MODE: false } as const;
  assert.equal(cookiesAreSecure(settings), true);
  assert.equal(cookiesAreSecure({ ...settings, DEMO_MODE: true }), false);
  assert.equal(cookiesAreSecure({ ...settings, COOKIE_SECURE: false }), false);
  assert.equal(cookiesAreSecure({ ...settings, NODE_ENV: 'test', COOKIE_SECURE: true }), true);
});
