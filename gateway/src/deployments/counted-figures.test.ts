import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import type { ReportedFigures } from '@clinic/service-kit/deployments/gateway-report';
import { CountedFigures, type Reported } from './counted-figures.ts';

const release = { version: '2.0.0', canary: 1 };
/** Whose digests differ. */
const networks = ['192.0.2.1', '198.51.100.7', '2001:db8:1:2::'];

const last = (process: CountedFigures): ReportedFigures => process.take().figures[0] ?? assert.fail();

test('a process leaves out the network without which the least fails, in any order', () => {
  for (let round = 0; round < 300; round += 1) {
    const processes = Array.from({ length: randomInt(1, 4) }, () => ({
      counted: new CountedFigures(),
      by: new Map(networks.map((network) => [network, { visit: 0, error: 0 }])),
    }));
    const latest = new Map<object, ReportedFigures>();
    for (let count = randomInt(1, 60); count > 0; count -= 1) {
      const [process, network] = [processes[randomInt(processes.length)], networks[randomInt(networks.length)]];
      if (!process || network === undefined) assert.fail();
      const what: Reported = randomInt(3) === 0 ? 'visit' : 'error';
      const own = process.by.get(network) ?? assert.fail();
      own[what] += 1;
      process.counted.count({ ...release, what, network });
      const now = last(process.counted);
      for (const field of ['visits', 'errors', 'networks'] as const)
        assert.ok(now[field] >= (latest.get(process)?.[field] ?? 0), `${field} of a process only grow`);
      latest.set(process, now);
      const seen = [...process.by.values()].filter(({ visit, error }) => visit + error > 0);
      const without = seen.map(({ visit, error }) => ({ visit: now.visits - visit, error: now.errors - error }));
      assert.ok(without.some(({ visit, error }) => visit === now.otherVisits && error === now.otherErrors));
      const least = Math.min(...without.map(({ visit, error }) => share(error, visit)));
      assert.equal(share(now.otherErrors, now.otherVisits), least);
    }
  }
});

const share = (errors: number, visits: number): number => (errors === 0 ? 0 : errors / Math.max(errors, visits));

test('a network that reports fewer errors than an honest one with most of the visits is the one left out', () => {
  const counted = new CountedFigures();
  const [clinic = '', madeUp = ''] = networks;
  for (let count = 0; count < 950; count += 1) counted.count({ ...release, what: 'visit', network: clinic });
  for (let count = 0; count < 40; count += 1) counted.count({ ...release, what: 'error', network: clinic });
  for (let count = 0; count < 8; count += 1) counted.count({ ...release, what: 'error', network: madeUp });
  const { visits, errors, otherVisits, otherErrors } = last(counted);
  assert.deepEqual([visits, errors, otherVisits, otherErrors], [950, 48, 950, 40]);
});

test('of one network nothing is left, and of others all that they report, however much the first one does', () => {
  const counted = new CountedFigures();
  const [one = '', ...others] = networks;
  for (let count = 0; count < 97; count += 1)
    for (const what of ['visit', 'error'] as const) counted.count({ ...release, what, network: one });
  const alone = last(counted);
  assert.deepEqual([alone.errors, alone.otherVisits, alone.otherErrors, alone.networks], [97, 0, 0, 1]);
  for (const network of others)
    for (const what of ['visit', 'error'] as const) counted.count({ ...release, what, network });
  const { visits, errors, otherVisits, otherErrors, networks: seen } = last(counted);
  assert.deepEqual([visits, errors, otherVisits, otherErrors, seen], [99, 99, 2, 2, 3]);
});
