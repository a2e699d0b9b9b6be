// Ten minutes of faults in a busy clinic: `npm run test:soak chaos`, and `npm run test:soak replicas` with two gateways
// and three processes of each service. Set CHAOS_MINUTES and CHAOS_SEED to change it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../../scripts/stack/settings.ts';
import { roundOfFaults } from './faults.ts';
import { runChaos } from './run-chaos.ts';

const setting = (name: string, usual: number): number => Number(process.env[name] ?? usual);
const minutes = setting('CHAOS_MINUTES', 10);
const seed = setting('CHAOS_SEED', Date.now() % 1_000_000);
const [gateways, replicas] = [setting('CHAOS_GATEWAYS', 1), setting('CHAOS_REPLICAS', 1)];
if (!(minutes > 0) || !Number.isInteger(seed))
  throw new Error(
    'CHAOS_MINUTES must be a number of minutes and CHAOS_SEED a whole number, e.g. CHAOS_MINUTES=1.5 CHAOS_SEED=7',
  );
if (![gateways, replicas].every((count) => Number.isInteger(count) && count > 0))
  throw new Error('CHAOS_GATEWAYS and CHAOS_REPLICAS must be whole numbers, e.g. CHAOS_GATEWAYS=2 CHAOS_REPLICAS=3');

console.log(`chaos: ${minutes} minutes, CHAOS_SEED=${seed}`);
const { violations, report, dataDir } = await runChaos({
  seed,
  gateways,
  replicas,
  duration: minutes * 60_000,
  lengths: { pause: 20_000, lasting: 10_000 },
  quiet: 3_000,
  wholeBetween: true,
  roundOf: roundOfFaults,
  log: console.log,
});
console.log(`\n${report}`);
const folder = join(root, 'test-results');
await mkdir(folder, { recursive: true });
const file = join(folder, `chaos-${seed}.txt`);
await writeFile(file, report);
console.log(`saved in ${file}`);
if (violations.length > 0) console.log(`data and logs: ${dataDir}`);
// Requests still waiting no longer matter.
process.exit(violations.length === 0 ? 0 : 1);
