import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import type { ReportedFigures } from '@clinic/service-kit/deployments/gateway-report';
import { CountedFigures, type Reported } from './counted-figures.ts';

const release = { version: '2.0.0', canary: 1 };
/** Whose digests differ. */
const networks = ['192.0.2.1', '198.51.100.7', '2001:db8:1:2::'];

const last = (process: CountedFigures): ReportedFigures => process.take().figures[0] ?? assert.fail();

test('a process leaves the network with most errors out of visits and errors, in any order', () => {
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
      for (const field of ['visits', 'errors', 'otherErrors', 'networks'] as const)
        assert.ok(now[field] >= (latest.get(process)?.[field] ?? 0), `${field} of a process only grow`);
      latest.set(process, now);
      const each = [...process.by.values()];
      const most = Math.max(...each.map(({ error }) => error));
      const left = { visit: now.visits - now.otherVisits, error: now.errors - now.otherErrors };
      assert.equal(left.error, most);
      assert.ok(each.some(({ visit, error }) => visit === left.visit && error === most));
    }
    const sum = (field: 'errors' | 'otherErrors'): number =>
      [...latest.values()].reduce((total, figures) => total + figures[field], 0);
    for (const network of networks) {
      const made = processes.reduce((total, { by }) => total + (by.get(network)?.error ?? 0), 0);
      assert.ok(sum('otherErrors') <= sum('errors') - made, network);
    }
  }
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
