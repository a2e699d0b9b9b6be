import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceName } from './device-name.ts';

const browsers: Readonly<Record<string, string>> = {
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36':
    'Chrome on Android',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1':
    'Safari on iOS',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0':
    'Microsoft Edge on Windows',
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0': 'Firefox on Linux',
  node: 'Unknown browser',
  '': 'Unknown browser',
};

test('names browser and system', () => {
  for (const [userAgent, name] of Object.entries(browsers)) assert.equal(deviceName(userAgent), name);
  assert.equal(deviceName(undefined), 'Unknown browser');
});

test('truncates made-up user agents', () => {
  assert.ok(deviceName(`${'x'.repeat(300)}/1.0 ${'y'.repeat(90)}`).length <= 84);
});
