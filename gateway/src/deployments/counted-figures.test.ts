import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import type { ReportedFigures } from '@clinic/service-kit/deployments/gateway-report';
import { CountedFigures, type Reported } from './counted-figures.ts';

const release = { version: '2.0.0', canary: 1 };
/** Whose digests differ. */
const networks = ['192.0.2.1', '198.51.100.7', '2001:db8:1:2::'];

const last = (process: CountedFigures): ReportedFigures => process.take().figures[0] ?? assert.fail();

test('errors are confirmed only as far as no network can have made them up, in any order and over any processes', () => {
  for (let round = 0; round < 300; round += 1) {
    const processes = Array.from({ length: randomInt(1, 4) }, () => new CountedFigures());
    const errors = new Map(networks.map((network) => [network, 0]));
    const before = new Map<CountedFigures, ReportedFigures>();
    for (let count = randomInt(1, 60); count > 0; count -= 1) {
      const [process, network] = [processes[randomInt(processes.length)], networks[randomInt(networks.length)]];
      if (!process || network === undefined) assert.fail();
      const what: Reported = randomInt(3) === 0 ? 'visit' : 'error';
      if (what === 'error') errors.set(network, (errors.get(network) ?? 0) + 1);
      process.count({ ...release, what, network });
      const now = last(process);
      for (const field of ['visits', 'errors', 'confirmedErrors', 'networks'] as const)
        assert.ok(now[field] >= (before.get(process)?.[field] ?? 0), `${field} of a process only grow`);
      before.set(process, now);
    }
    const sum = (field: 'errors' | 'confirmedErrors'): number =>
      [...before.values()].reduce((total, figures) => total + figures[field], 0);
    const all = [...errors.values()].reduce((total, one) => total + one, 0);
    assert.equal(sum('errors'), all);
    for (const [network, own] of errors) assert.ok(sum('confirmedErrors') <= all - own, network);
  }
});

test('what one network reports confirms nothing, and others’ errors do, however the first one reports', () => {
  const counted = new CountedFigures();
  const [one = '', ...others] = networks;
  for (let count = 0; count < 500; count += 1) counted.count({ ...release, what: 'error', network: one });
  const alone = last(counted);
  assert.deepEqual([alone.errors, alone.confirmedErrors, alone.networks], [500, 0, 1]);
  for (const network of others) counted.count({ ...release, what: 'error', network });
  const { confirmedErrors, networks: seen, errors } = last(counted);
  assert.deepEqual([errors, confirmedErrors, seen], [502, 2, 3]);
});
