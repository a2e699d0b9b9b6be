import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isLoopback, rejectHalfDemo, type DemoSettings } from './demo-settings.ts';
import { SettingsError } from './settings.ts';

const rejection = (settings: DemoSettings): string => {
  try {
    rejectHalfDemo(settings);
    return '';
  } catch (error) {
    assert.ok(error instanceof SettingsError);
    assert.doesNotMatch(error.message, /\n/);
    assert.match(error.message, /it must be .*for example [A-Z_]+=/);
    return error.message;
  }
};

describe('a demo', () => {
  it('may run at any address but https', () => {
    for (const PUBLIC_URL of [
      undefined,
      'http://localhost:8080',
      'https://localhost:8443',
      'https://127.0.0.1',
      'https://[::1]:8443',
      'http://clinic.lan',
      'http://192.168.1.5:8080',
    ]) {
      assert.equal(
        rejection({ DEMO_MODE: true, PUBLIC_URL, FIREBASE_PROJECT_ID: 'demo-clinic', emulated: true }),
        '',
        PUBLIC_URL,
      );
    }
    for (const PUBLIC_URL of [
      'https://clinic.example',
      'https://clinic.example:8443/',
      'https://localhost.clinic.example',
      'https://127.0.0.1.clinic.example',
      'HTTPS://CLINIC.EXAMPLE',
      'https://[2001:db8::1]',
    ]) {
      assert.match(
        rejection({ DEMO_MODE: true, PUBLIC_URL }),
        /^DEMO_MODE is wrong: .*PUBLIC_URL is an https address/,
        PUBLIC_URL,
      );
    }
  });

  it('needs a project id that begins with demo-', () => {
    for (const FIREBASE_PROJECT_ID of ['my-clinic', 'clinic-demo-1', 'demo', 'Demo-clinic'])
      assert.match(
        rejection({ DEMO_MODE: true, FIREBASE_PROJECT_ID, emulated: true }),
        /^DEMO_MODE is wrong: .*real Firebase project/,
        FIREBASE_PROJECT_ID,
      );
  });
});

describe('outside demo mode', () => {
  it('rejects a project id that begins with demo-, except with the emulator in tests and development', () => {
    assert.match(
      rejection({ DEMO_MODE: false, FIREBASE_PROJECT_ID: 'demo-clinic' }),
      /^FIREBASE_PROJECT_ID is wrong: /,
    );
    assert.equal(rejection({ DEMO_MODE: false, FIREBASE_PROJECT_ID: 'demo-clinic', emulated: true }), '');
  });

  it('accepts any address, with any project', () => {
    for (const PUBLIC_URL of [undefined, 'http://localhost:8080', 'https://clinic.example'])
      assert.equal(rejection({ DEMO_MODE: false, PUBLIC_URL, FIREBASE_PROJECT_ID: 'my-clinic' }), '');
  });
});

it('recognises loopback addresses', () => {
  for (const host of ['localhost', 'a.localhost', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])
    assert.ok(isLoopback(host), host);
  for (const host of ['', '0.0.0.0', '::', '10.0.0.1', 'localhost.example', '127.0.0.1.example', '::ffff:10.0.0.1'])
    assert.ok(!isLoopback(host), host);
});
