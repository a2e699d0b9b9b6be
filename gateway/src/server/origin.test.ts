import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { originOf, type OriginOptions } from './origin.ts';

const from = (headers: IncomingMessage['headers'], options: Partial<OriginOptions> = {}) =>
  originOf({ headers, socket: { remoteAddress: '192.0.2.1' } } as IncomingMessage, {
    trustProxy: true,
    publicUrl: 'http://clinic.example',
    scope: 'subdomains',
    ...options,
  });

describe('where a request comes from', () => {
  it('is what the last proxy says, if there is one of ours', () => {
    const claimed = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7', 'x-forwarded-proto': 'https' };
    assert.equal(from(claimed).address, '198.51.100.7');
    assert.equal(from(claimed).protocol, 'https');
    assert.equal(from(claimed, { trustProxy: false }).address, '192.0.2.1');
    assert.equal(from(claimed, { trustProxy: false }).protocol, 'http');
    assert.equal(from({ 'x-forwarded-proto': 'gopher' }, { publicUrl: 'https://clinic.example' }).protocol, 'https');
  });

  it('is one place, whatever the port of each connection', () => {
    const behind = (address: string) => from({ 'x-forwarded-for': `203.0.113.9, ${address}` }).address;
    assert.deepEqual(['198.51.100.7:50123', '198.51.100.7', '[2001:db8::1]:443', '[2001:db8::1]'].map(behind), [
      '198.51.100.7',
      '198.51.100.7',
      '2001:db8::1',
      '2001:db8::1',
    ]);
    assert.equal(behind('2001:db8::1:443'), '2001:db8::1:443');
  });

  for (const [scope, value] of [
    ['off', undefined],
    ['host', 'max-age=31536000'],
    ['subdomains', 'max-age=31536000; includeSubDomains'],
    ['preload', 'max-age=63072000; includeSubDomains; preload'],
  ] as const) {
    it(`asks browsers for https with the scope ${scope}, but only over https`, () => {
      assert.equal(from({ 'x-forwarded-proto': 'https' }, { scope }).strictTransport, value);
      assert.equal(from({ 'x-forwarded-proto': 'http' }, { scope }).strictTransport, undefined);
    });
  }
});
