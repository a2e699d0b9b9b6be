import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lossesOfReplicas } from './faults.ts';
import { runChaos } from './run-chaos.ts';

const seed = Number(process.env['CHAOS_SEED'] ?? 20_261_123);

// The long form, with every kind of fault: npm run test:soak replicas.
test(
  'two gateways and three processes of each service keep every promise while processes are killed, cut off and paused',
  { timeout: 540_000, skip: process.platform !== 'linux' && 'needs the signals of Linux' },
  async (t) => {
    const { violations, injected, acknowledged, requests, dataDir } = await runChaos({
      seed,
      gateways: 2,
      replicas: 3,
      duration: 0,
      lengths: { pause: 2_000, lasting: 2_000 },
      quiet: 500,
      // No fault ends more than one process of a part, so another is always up.
      wholeBetween: false,
      roundOf: lossesOfReplicas,
      log: (line) => t.diagnostic(line),
    });
    t.diagnostic(`${requests} requests, ${acknowledged} acknowledged writes, CHAOS_SEED=${seed}`);
    assert.deepEqual(violations, [], `CHAOS_SEED=${seed}; data and logs: ${dataDir}`);
    assert.equal(
      [...injected.values()].reduce((sum, count) => sum + count, 0),
      6,
    );
    assert.ok(acknowledged > 50, `${acknowledged} acknowledged writes`);
  },
);
