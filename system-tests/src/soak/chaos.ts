// Ten minutes of faults in a busy clinic: `npm run test:soak chaos`. Set CHAOS_MINUTES and CHAOS_SEED to change it.
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { demoAccounts } from '@clinic/demo-data';
import { MongoClient } from 'mongodb';
import { root } from '../../../scripts/stack/settings.ts';
import { startChaosStack } from './chaos-stack.ts';
import { roundOfFaults } from './faults.ts';
import { brokenPromises, readStock } from './invariants.ts';
import { Outages } from './outages.ts';
import { Random } from './random.ts';
import { startTraffic } from './traffic.ts';
import { Answers, Visitor } from './visitor.ts';

const minutes = Number(process.env['CHAOS_MINUTES'] ?? 10);
const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000);
if (!(minutes > 0) || !Number.isInteger(seed))
  throw new Error(
    'CHAOS_MINUTES must be a number of minutes and CHAOS_SEED a whole number, e.g. CHAOS_MINUTES=1.5 CHAOS_SEED=7',
  );

/** Milliseconds after a fault within which everything must have recovered by itself. */
const recoverWithin = 60_000;
/** Milliseconds without faults between recovery and the next fault. */
const quiet = 3_000;
/** Milliseconds within which visitors must get the outcome of their last request. */
const patience = 120_000;
/** Milliseconds for which a failed gateway may lose connections: the time it takes to restart. */
const gatewayGrace = 15_000;

console.log(`chaos: ${minutes} minutes, CHAOS_SEED=${seed}`);
const random = new Random(seed);
const stack = await startChaosStack();
const client = await new MongoClient(`${stack.mongoUri}`, { serverSelectionTimeoutMS: 30_000 }).connect();
const answers = new Answers();
const over = new AbortController();
const watching = new AbortController();
try {
  const stockBefore = await readStock(client);
  const traffic = await startTraffic({ url: stack.url, seed, answers, stop: over.signal, patients: 6 });
  const probe = new Visitor(stack.url, answers);
  await probe.signIn(demoAccounts.patient);
  const asks = (path: string, accept?: string) => async () =>
    (await probe.ask('GET', path, undefined, accept ? { accept } : {})).status === 200;
  const outages = new Outages(
    {
      pages: asks('/', 'text/html'),
      identity: asks('/jwt/session'),
      clinic: asks(`/appoinments?email=${demoAccounts.patient}&limit=1`),
      pharmacy: asks(`/orderMedi?email=${demoAccounts.patient}&limit=1`),
    },
    watching.signal,
  );

  const began = performance.now();
  const left = (): number => began + minutes * 60_000 - performance.now();
  const injected = new Map<string, number>();
  const loads: number[] = [];
  let faults = roundOfFaults(random, stack.programs);
  while (left() > 0) {
    const fault = faults.pop();
    if (!fault) {
      faults = roundOfFaults(random, stack.programs);
      continue;
    }
    await delay(quiet);
    const at = performance.now();
    if (fault.hitsGateway) answers.gatewayDownUntil = Infinity;
    await fault.run(stack);
    loads.push(loadavg()[0] ?? 0);
    injected.set(fault.name, (injected.get(fault.name) ?? 0) + 1);
    const down = await outages.recovered(recoverWithin);
    if (fault.hitsGateway) answers.gatewayDownUntil = performance.now() + gatewayGrace;
    if (down.length > 0)
      answers.violate(`after '${fault.name}' ${down.join(', ')} did not recover within ${recoverWithin / 1_000} s`);
    console.log(
      `${String(Math.round((at - began) / 1_000)).padStart(4)} s  ${fault.name}: all parts answer ${((performance.now() - at) / 1_000).toFixed(1)} s after it began`,
    );
  }
  const seconds = (performance.now() - began) / 1_000;
  over.abort();
  // Visitors retry until they know the outcome of an order: forever, if a part never came back.
  await Promise.race([
    traffic.over(),
    delay(patience, undefined, { ref: false }).then(() =>
      answers.violate(`some visitors were still without an answer ${patience / 1_000} s after the last fault`),
    ),
  ]);
  watching.abort();

  for (const person of traffic.people) {
    // Some were idle for longer than an access token lives.
    await person.ask('POST', '/jwt/refresh');
    const session = await person.ask('GET', '/jwt/session');
    if (session.status !== 200)
      answers.violate(`${person.email} has lost the session: ${session.status} ${session.code}`);
  }
  for (const promise of await brokenPromises(client, traffic.ledger, stockBefore)) answers.violate(promise);

  const list = (entries: Iterable<readonly [string, number]>, unit = '') =>
    [...entries].map(([name, count]) => `  ${String(count).padStart(7)}${unit}  ${name}`).join('\n');
  const report = `
CHAOS_SEED=${seed}, ${Math.round(seconds)} s, ${traffic.people.length} people with sessions, six of whom write non-stop
load average on ${availableParallelism()} cores, including other programs, at the start of each fault: ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}
faults injected (${[...injected.values()].reduce((sum, count) => sum + count, 0)}):
${list(injected)}
requests by outcome (${answers.requests}, ${Math.round(answers.requests / seconds)} a second):
${list([...answers.outcomes].toSorted(([, a], [, b]) => b - a))}
longest outage, by part:
${list(
  [...outages.longest].map(([part, ms]) => [part, Math.round(ms / 100) / 10] as const),
  ' s',
)}
acknowledged writes: ${traffic.ledger.acknowledged} (${traffic.ledger.appointments.size} appointments, ${traffic.ledger.orders.size} orders)
${answers.violations.length === 0 ? 'every promise was kept' : `BROKEN PROMISES, CHAOS_SEED=${seed}:\n${answers.violations.map((text) => `  ${text}`).join('\n')}`}
`;
  console.log(report);
  const folder = join(root, 'test-results');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `chaos-${seed}.txt`), report.trimStart());
  console.log(`saved in ${join(folder, `chaos-${seed}.txt`)}`);
  process.exitCode = answers.violations.length === 0 ? 0 : 1;
} finally {
  over.abort();
  watching.abort();
  await client.close();
  const failed = process.exitCode !== 0;
  await stack.close(failed);
  if (failed) console.log(`data and logs: ${stack.dataDir}`);
}
// Requests still waiting no longer matter.
process.exit();
