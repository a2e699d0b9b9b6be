import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from '@clinic/contracts/network';
import { VisitorLimit } from './visitor-limit.ts';

/** All limits of reports in use: errors and policies, visits. */
const inUse = [
  { perNetwork: 30, altogether: 600 },
  { perNetwork: 300, altogether: 12_000 },
];

test('a network with any number of addresses can’t silence the reports of others', () => {
  for (const limits of inUse) {
    const limit = new VisitorLimit(limits);
    let admitted = 0;
    // One household or rented server has all addresses of a /64.
    for (let host = 0; host < 20_000; host += 1)
      if (limit.admits(networkOf(`2001:db8:1:2::${host.toString(16)}`))) admitted += 1;
    assert.equal(admitted, limits.perNetwork);
    for (let count = 0; count < 20_000; count += 1) limit.admits('203.0.113.7');
    for (const other of ['198.51.100.1', '2001:db8:1:3::1']) assert.ok(limit.admits(networkOf(other)), other);
  }
});

test('the total holds for any number of networks', () => {
  const limit = new VisitorLimit({ perNetwork: 30, altogether: 600 });
  const networks = Array.from({ length: 5_000 }, (_, at) => `2001:db8:${at.toString(16)}::1`);
  assert.equal(networks.filter((address) => limit.admits(networkOf(address))).length, 600);
});

test('each minute tells how many were dropped, if any were', ({ mock }) => {
  mock.timers.enable({ apis: ['setInterval'] });
  const dropped: number[] = [];
  const limit = new VisitorLimit({ perNetwork: 1, altogether: 9 }, (count) => dropped.push(count));
  for (let count = 0; count < 3; count += 1) limit.admits('203.0.113.7');
  mock.timers.tick(60_000);
  mock.timers.tick(60_000);
  assert.deepEqual(dropped, [2]);
  assert.ok(limit.admits('203.0.113.7'));
});
