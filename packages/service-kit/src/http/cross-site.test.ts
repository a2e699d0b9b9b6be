import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { rejectCrossSite } from './cross-site.ts';

const allows = (method: string, headers: IncomingMessage['headers'], allowed: readonly string[] = []): boolean => {
  try {
    rejectCrossSite({ method, headers: { host: 'clinic.example', ...headers } } as IncomingMessage, allowed);
    return true;
  } catch (error) {
    assert.equal((error as { code?: string }).code, 'cross_site');
    return false;
  }
};

test('allows every page to read', () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS'])
    assert.ok(allows(method, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }));
});

test('allows changes from this site’s pages', () => {
  assert.ok(allows('POST', { 'sec-fetch-site': 'same-origin' }));
  assert.ok(allows('PATCH', { origin: 'http://clinic.example' }));
  assert.ok(allows('PATCH', { origin: 'https://clinic.example', 'x-forwarded-proto': 'https' }));
  assert.ok(
    allows('PATCH', {
      origin: 'https://clinic.example',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'Clinic.Example:443',
    }),
  );
  assert.ok(allows('DELETE', { origin: 'http://localhost:8080', 'x-forwarded-host': 'localhost:8080' }));
  assert.ok(allows('POST', { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }, ['https://app.example']));
});

test('rejects changes from other origins and without an origin', () => {
  assert.ok(!allows('POST', {}));
  assert.ok(!allows('POST', { origin: 'null' }));
  assert.ok(!allows('POST', { origin: 'https://evil.example' }));
  assert.ok(!allows('POST', { origin: 'https://clinic.example.evil.example' }));
  assert.ok(!allows('POST', { 'sec-fetch-site': 'same-site', origin: 'https://clinic.example' }));
  assert.ok(
    !allows('POST', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, ['https://app.example']),
  );
  assert.ok(!allows('POST', { origin: 'https://clinic.example', 'x-forwarded-host': 'other.example' }));
  assert.ok(!allows('PUT', { 'sec-fetch-site': 'none' }));
});

test('treats another scheme or port on the same host as another site', () => {
  assert.ok(!allows('POST', { origin: 'http://clinic.example', 'x-forwarded-proto': 'https' }));
  assert.ok(!allows('POST', { origin: 'https://clinic.example', 'x-forwarded-proto': 'http' }));
  assert.ok(!allows('POST', { origin: 'https://clinic.example' }));
  assert.ok(!allows('POST', { origin: 'ftp://clinic.example' }));
  assert.ok(!allows('POST', { origin: 'https://clinic.example:8443', 'x-forwarded-proto': 'https' }));
});
