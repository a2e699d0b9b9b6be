import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startWholeClinic, type WholeClinic } from '../support/whole-clinic.ts';
import { runFuzz } from './run-fuzz.ts';
import { storedFaults } from './stored.ts';

// Every call of the contracts with generated input, valid and hostile, over real HTTP through the real gateway. The
// same seed gives the same requests: FUZZ_SEED=7 FUZZ_RUNS=20000 node --test system-tests/src/fuzz/fuzz.int.test.ts

const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
const runs = Number(process.env['FUZZ_RUNS'] ?? 1_500);

let clinic: WholeClinic;
before(async () => {
  // Raise the limits per person, which would reject most requests before any other code runs.
  clinic = await startWholeClinic({
    env: {
      CLINIC_MAX_OPEN_APPOINTMENTS: '100000',
      CLINIC_MAX_CHANGES_PER_DAY: '1000000',
      PHARMACY_MAX_OPEN_ORDERS: '100000',
    },
  });
});
after(() => clinic.close());

test(
  'no input breaks a service, hangs it, or gets an answer outside the contracts',
  { timeout: 300_000 + runs * 200 },
  async (t) => {
    const { sent, faults, statuses, succeeded } = await runFuzz(clinic, runs, seed);
    t.diagnostic(`seed ${seed}: ${sent} requests, ${JSON.stringify(statuses)}, ${succeeded.size} calls succeeded`);
    const stored = await storedFaults(clinic);
    assert.deepEqual([...faults, ...stored], [], `with FUZZ_SEED=${seed} FUZZ_RUNS=${runs}`);
  },
);
