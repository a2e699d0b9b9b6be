import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { remoteDescriptor } from '@clinic/contracts/schemas/remote-descriptor';
import { pagePolicies } from './page-policy.ts';
import { readGatewaySettings } from '../settings.ts';
import { clinicRemote, digest, realProject } from '../testing/start-gateway.ts';

/** The headers of a clinic with these settings, by default with the emulator. */
const policiesWith = (env: Readonly<Record<string, string>> = {}) =>
  pagePolicies(
    readGatewaySettings({
      SERVICES: 'identity=http://127.0.0.1:4001',
      SHELL_URL: 'http://127.0.0.1:4100',
      REMOTES: 'mf-public=http://127.0.0.1:4101,mf-clinic=http://127.0.0.1:4102',
      DEMO_MODE: 'true',
      AUTH_EMULATOR_URL: 'http://127.0.0.1:9099',
      ...env,
    }),
  );
const policyOf = (env: Readonly<Record<string, string>> = {}): string =>
  policiesWith(env)['Content-Security-Policy'] ?? '';

describe('the page policy', () => {
  it('allows only our own files, no strings, and a Trusted Types policy for each remote’s loader', () => {
    const policy = policyOf();
    assert.match(policy, /script-src 'self';/);
    assert.match(
      policy,
      /require-trusted-types-for 'script'; trusted-types shell remote-entries data-blocks mf-public mf-clinic 'allow-duplicates'; report-uri \/policy-reports$/,
    );
    assert.doesNotMatch(policy, /unsafe|https?:\/\//);
    assert.equal(policiesWith()['Content-Security-Policy-Report-Only'], undefined);
  });

  it('also allows Google’s script with a real project, where strings are only reported', () => {
    const headers = policiesWith({ ...realProject, FIREBASE_AUTH_DOMAIN: 'clinic.firebaseapp.com' });
    assert.match(
      headers['Content-Security-Policy'] ?? '',
      /script-src 'self' https:\/\/apis\.google\.com;.*frame-src https:\/\/clinic\.firebaseapp\.com;/,
    );
    assert.doesNotMatch(headers['Content-Security-Policy'] ?? '', /trusted-types/);
    assert.match(headers['Content-Security-Policy-Report-Only'] ?? '', /^require-trusted-types-for 'script'/);
  });

  it('allows files on the developer’s machine only if that is enabled', () => {
    assert.doesNotMatch(policyOf(), /localhost|127\.0\.0\.1/);
    assert.match(
      policyOf({ REMOTE_OVERRIDES: 'true' }),
      /script-src 'self' http:\/\/localhost:\* http:\/\/127\.0\.0\.1:\*;/,
    );
  });
});

it('accepts only digests from a remote, nothing that could be markup', () => {
  const taken = (integrity: Record<string, string>): boolean =>
    remoteDescriptor.safeParse({ ...clinicRemote(), integrity: { ...clinicRemote().integrity, ...integrity } }).success;
  assert.ok(taken({ 'entry.0123.js': digest, 'assets/module.css': `sha384-${'a'.repeat(64)}` }));
  for (const bad of [
    '',
    'sha256-',
    'md5-AAAA',
    `${digest} sha256-x`,
    `${digest}"><script>`,
    `sha256-${'A'.repeat(200)}`,
  ])
    assert.ok(!taken({ 'entry.js': bad }), bad);
  assert.ok(!taken({ '../entry.js': digest }));
  assert.ok(!taken({ '"onload=x': digest }));
});
