import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { demoAccounts } from '@clinic/demo-data';
import { MongoClient } from 'mongodb';
import { startChaosStack, type ChaosStack, type StackSize } from './chaos-stack.ts';
import type { Fault, Lengths } from './faults.ts';
import { brokenPromises, gatewaysAgree, readStock } from './invariants.ts';
import { Outages } from './outages.ts';
import { Random } from '@clinic/mongo-embedded/testing/random';
import { startTraffic, type Traffic } from './traffic.ts';
import { Answers, Visitor } from './visitor.ts';

export interface ChaosOptions extends StackSize {
  /** Gives the same faults in the same order, and the same visitors. */
  readonly seed: number;
  /** Faults begin until then, in milliseconds; 0: one round. */
  readonly duration: number;
  readonly lengths: Lengths;
  /** Milliseconds without faults between recovery and the next fault. */
  readonly quiet: number;
  /** Whether to wait for every process before the next fault, or only at the end. */
  readonly wholeBetween: boolean;
  /** The faults of a round, in reverse order. */
  readonly roundOf: (stack: ChaosStack, random: Random, lengths: Lengths) => Fault[];
  /** Gets a line about each fault. */
  readonly log: (line: string) => void;
}

export interface ChaosResult {
  /** Broken promises; empty if all were kept. */
  readonly violations: readonly string[];
  /** Faults by name. */
  readonly injected: ReadonlyMap<string, number>;
  readonly requests: number;
  /** Acknowledged writes. */
  readonly acknowledged: number;
  readonly report: string;
  /** Data and logs; kept if a promise was broken. */
  readonly dataDir: string;
}

/** Milliseconds after a fault within which everything must have recovered automatically. */
const recoverWithin = 60_000;
/** Milliseconds within which visitors must get the outcome of their last request. */
const patience = 120_000;
/** Milliseconds for which a failed gateway may lose connections: the time it takes to restart. */
const gatewayGrace = 15_000;

interface Run {
  readonly options: ChaosOptions;
  readonly stack: ChaosStack;
  readonly answers: Answers;
  readonly outages: Outages;
  readonly injected: Map<string, number>;
  readonly loads: number[];
}

/** Starts a clinic with visitors, breaks its parts one after the other, and checks that every promise was kept. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const stack = await startChaosStack(options);
  const client = await new MongoClient(stack.mongoUri, { serverSelectionTimeoutMS: 30_000 }).connect();
  const answers = new Answers();
  const [over, watching] = [new AbortController(), new AbortController()];
  let kept = false;
  try {
    const stockBefore = await readStock(client);
    const traffic = await startTraffic({
      gateways: stack.urls,
      seed: options.seed,
      answers,
      stop: over.signal,
      patients: 6,
    });
    const outages = await watchOutages(stack, answers, watching.signal);
    const run: Run = { options, stack, answers, outages, injected: new Map(), loads: [] };
    const seconds = await injectFaults(run);
    over.abort();
    await finish(run, traffic);
    watching.abort();
    for (const promise of await brokenPromises(client, traffic.ledger, stockBefore)) answers.violate(promise);
    for (const promise of await gatewaysAgree(stack.urls)) answers.violate(promise);
    kept = answers.violations.length === 0;
    return {
      violations: answers.violations,
      injected: run.injected,
      requests: answers.requests,
      acknowledged: traffic.ledger.acknowledged,
      report: reportOf(run, traffic, seconds),
      dataDir: stack.dataDir,
    };
  } finally {
    over.abort();
    watching.abort();
    await client.close();
    await stack.close(!kept);
  }
}

async function watchOutages({ urls }: ChaosStack, answers: Answers, stop: AbortSignal): Promise<Outages> {
  const probe = new Visitor(urls, answers);
  await probe.signIn(demoAccounts.patient);
  const asks = (path: string, accept?: string) => async () =>
    (await probe.ask('GET', path, undefined, accept ? { accept } : {})).status === 200;
  return new Outages(
    {
      pages: asks('/', 'text/html'),
      identity: asks('/jwt/session'),
      clinic: asks(`/appoinments?email=${demoAccounts.patient}&limit=1`),
      pharmacy: asks(`/orderMedi?email=${demoAccounts.patient}&limit=1`),
    },
    stop,
  );
}

/** @returns the seconds it took */
async function injectFaults(run: Run): Promise<number> {
  const { seed, duration, lengths, quiet, wholeBetween, roundOf, log } = run.options;
  const random = new Random(seed);
  const began = performance.now();
  let faults = roundOf(run.stack, random, lengths);
  for (;;) {
    const fault = faults.pop();
    if (fault) {
      await delay(quiet);
      if (wholeBetween) await wholeAgain(run);
      const at = performance.now();
      await inject(run, fault);
      log(
        `${String(Math.round((at - began) / 1_000)).padStart(4)} s  ${fault.name}: all parts answer ${((performance.now() - at) / 1_000).toFixed(1)} s after it began`,
      );
    } else faults = roundOf(run.stack, random, lengths);
    const over = duration === 0 ? faults.length === 0 : performance.now() - began > duration;
    if (over) break;
  }
  await wholeAgain(run);
  return (performance.now() - began) / 1_000;
}

/** Waits until the programs that the last fault ended are back: the next fault may need them. */
async function wholeAgain({ stack, answers }: Run): Promise<void> {
  const until = performance.now() + recoverWithin;
  while (!(await stack.isWhole())) {
    if (performance.now() > until)
      return answers.violate(`not every process was back after ${recoverWithin / 1_000} s`);
    await delay(100);
  }
}

async function inject({ stack, answers, outages, injected, loads }: Run, fault: Fault): Promise<void> {
  if (fault.hitsGateway) answers.gatewayDownUntil = Infinity;
  answers.peersOf = fault.leavesPeers ? fault.name : undefined;
  await fault.run(stack);
  loads.push(loadavg()[0] ?? 0);
  injected.set(fault.name, (injected.get(fault.name) ?? 0) + 1);
  const down = await outages.recovered(recoverWithin);
  if (fault.hitsGateway) answers.gatewayDownUntil = performance.now() + gatewayGrace;
  if (down.length > 0)
    answers.violate(`after '${fault.name}' ${down.join(', ')} did not recover within ${recoverWithin / 1_000} s`);
}

/** Waits until visitors know the outcome of their last request, and checks that they are still signed in. */
async function finish({ answers }: Run, traffic: Traffic): Promise<void> {
  answers.peersOf = undefined;
  // Visitors retry until they know the outcome of an order: forever, if a part never came back.
  await Promise.race([
    traffic.over(),
    delay(patience, undefined, { ref: false }).then(() =>
      answers.violate(`some visitors were still without an answer ${patience / 1_000} s after the last fault`),
    ),
  ]);
  for (const person of traffic.people) {
    // Some were idle for longer than an access token lives.
    await person.ask('POST', '/jwt/refresh');
    const session = await person.ask('GET', '/jwt/session');
    if (session.status !== 200)
      answers.violate(`${person.email} has lost the session: ${session.status} ${session.code}`);
  }
}

function reportOf({ options, answers, outages, injected, loads }: Run, traffic: Traffic, seconds: number): string {
  const { seed, gateways, replicas } = options;
  const list = (entries: Iterable<readonly [string, number]>, unit = '') =>
    [...entries].map(([name, count]) => `  ${String(count).padStart(7)}${unit}  ${name}`).join('\n');
  const { ledger, people } = traffic;
  return `CHAOS_SEED=${seed}, ${Math.round(seconds)} s, ${gateways} gateway(s), ${replicas} process(es) of each service, ${people.length} people with sessions, six of whom write non-stop
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
acknowledged writes: ${ledger.acknowledged} (${ledger.appointments.size} appointments, ${ledger.orders.size} orders)
${answers.violations.length === 0 ? 'every promise was kept' : `BROKEN PROMISES, CHAOS_SEED=${seed}:\n${answers.violations.map((text) => `  ${text}`).join('\n')}`}
`;
}
