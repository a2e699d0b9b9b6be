import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWithin, networks } from './networks.ts';

const { schema } = networks();

test('reads networks and single addresses of both kinds', () => {
  const list = schema.parse('203.0.113.0/24, 2001:db8:1::/48,192.0.2.7');
  for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8:1:5::1', '192.0.2.7'])
    assert.equal(isWithin(address, list), true, address);
  for (const address of ['203.0.114.9', '2001:db8:2::1', '192.0.2.8', '', 'unknown'])
    assert.equal(isWithin(address, list), false, address);
});

test('refuses what isn’t a network, and one with everybody in it', () => {
  for (const text of [
    'clinic',
    '203.0.113.0/33',
    '203.0.113.0/24/8',
    '203.0.113.0/',
    '0.0.0.0/0',
    '2001:db8::/129',
    ',',
  ])
    assert.equal(schema.safeParse(text).success, false, text);
});
