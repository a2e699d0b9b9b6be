import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from './network.ts';

test('counts each IPv4 address separately, however it is written', () => {
  assert.deepEqual(['203.0.113.7', '::ffff:203.0.113.7', '::FFFF:203.0.113.7'].map(networkOf), [
    '203.0.113.7',
    '203.0.113.7',
    '203.0.113.7',
  ]);
  assert.notEqual(networkOf('203.0.113.7'), networkOf('203.0.113.8'));
});

test('counts all IPv6 addresses with the same 64 bits as one', () => {
  const same = [
    '2001:db8:1:2::1',
    '2001:db8:1:2:ffff:ffff:ffff:ffff',
    '2001:0DB8:0001:0002:0:0:0:9',
    '2001:db8:1:2::',
    '2001:db8:1:2::%eth0',
    '2001:db8:1:2:0:0:192.0.2.1',
  ];
  assert.deepEqual([...new Set(same.map(networkOf))], ['2001:db8:1:2::/64']);
  assert.deepEqual(['2001:db8:1:3::1', '::1', 'fe80::1', '1:2:3:4:5:6:7::'].map(networkOf), [
    '2001:db8:1:3::/64',
    '0:0:0:0::/64',
    'fe80:0:0:0::/64',
    '1:2:3:4::/64',
  ]);
});

test('returns anything that isn’t an address unchanged', () => {
  assert.deepEqual(['', 'unknown', '::g', '1:2:3', '1::2::3', '1:2:3:4:5:6:7:8:9'].map(networkOf), [
    '',
    'unknown',
    '::g',
    '1:2:3',
    '1::2::3',
    '1:2:3:4:5:6:7:8:9',
  ]);
});
