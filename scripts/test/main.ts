// Runs every check of the project and ends with a line of totals; called by `npm test`.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureEngine } from '../compose/engine.ts';
import { log, UserError } from '../log.ts';
import { buildChanged } from '../stack/build.ts';
import { root } from '../stack/settings.ts';
import { verifyClaims } from '../supply-chain/verify-claims.ts';
import { workspacesWith } from '../workspaces.ts';
import { ensureHeadlessChromium } from './chromium.ts';
import { ensureOtherEngines } from './engines.ts';
import { runDomains } from './domain.ts';
import { exec } from './exec.ts';
import { runFiles, testConcurrency } from './run-files.ts';
import { selectFiles, testFiles, parseSelection } from './selection.ts';
import { countsOfJest, countsOfNode, countsOfPlaywright, flakyOfPlaywright, forgetRan, noteRan } from './ran.ts';

interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const bin = (name: string): string => join(root, 'node_modules', '.bin', name);
const scratch = mkdtempSync(join(tmpdir(), 'clinic-test-'));

const steps: Record<string, () => Promise<Count>> = { typecheck, lint, unit, components, e2e, compose, swarm, claims };
/** Too slow to run on every change; `npm test -- all` includes them. */
const long = new Set(['compose', 'swarm']);
/** Runs only when named: the images of `compose`, in Docker Swarm. */
const apart = new Set(['swarm']);
/** Browser tests that failed and then passed when repeated. Tests are only repeated in CI. */
const flaky: string[] = [];
/** More flaky tests than this fail the run: a stalled browser explains one or two, not more. */
const allowedFlaky = 2;

try {
  const usage = `npm test -- [${Object.keys(steps).join('|')}|all …], [domain NAME …] or [FILE …] [--name TEXT]`;
  const selection = parseSelection(process.argv.slice(2), usage);
  const words = selection.words;
  if (words[0] === 'domain') process.exit((await runDomains(words.slice(1), selection)) ? 0 : 1);
  const isStep = (word: string): boolean => word === 'all' || Object.hasOwn(steps, word);
  if (
    !words.every(isStep) ||
    selection.name !== undefined ||
    selection.phone ||
    selection.firefox ||
    selection.headed ||
    selection.debug
  ) {
    const step = words.find(isStep);
    if (step !== undefined)
      throw new UserError(`'${step}' is a whole kind of test: name either kinds or files, and --name only with files.`);
    const files = selectFiles(testFiles(), selection, root);
    process.exit((await runFiles(files, selection)) ? 0 : 1);
  }
  if (words.length === 0 || words.includes('all')) forgetRan();
  const totals = { passed: 0, failed: 0, skipped: 0 };
  for (const [name, step] of Object.entries(steps)) {
    if (words.length === 0 ? long.has(name) : !words.includes(name) && (!words.includes('all') || apart.has(name)))
      continue;
    log(`--- ${name}`);
    const count = await step();
    log(
      `${name}: ${count.passed} passed, ${count.failed} failed${count.skipped > 0 ? `, ${count.skipped} skipped` : ''}`,
    );
    totals.passed += count.passed;
    totals.failed += count.failed;
    totals.skipped += count.skipped;
  }
  if (flaky.length > 0) {
    console.log(`\nFlaky: these browser tests only passed when repeated (more than ${allowedFlaky} fail the run).`);
    for (const name of flaky) console.log(`  ${name}`);
  }
  console.log(
    `\n${totals.passed} passed, ${totals.failed} failed${totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''}`,
  );
  process.exitCode = totals.failed === 0 ? 0 : 1;
} catch (error) {
  console.error(`\n${error instanceof UserError ? error.message : (error as Error).stack}\n\n0 passed, 1 failed`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
  if (process.connected) process.disconnect();
}

/** One check per workspace. */
async function typecheck(): Promise<Count> {
  const folders = ['scripts', 'system-tests', 'docker/tests', 'deploy/tests', ...workspacesWith('tsconfig.json')];
  const results = await inParallel(
    folders,
    async (folder) => (await exec(bin('tsc'), ['-p', folder, '--pretty', 'false'], { quiet: true })).ok,
  );
  return { passed: results.filter(Boolean).length, failed: results.filter((ok) => !ok).length, skipped: 0 };
}

/** Lint with circular imports, formatting, unused code. */
async function lint(): Promise<Count> {
  const results = [
    await exec(bin('oxlint'), ['--type-aware', '--deny-warnings']),
    await exec(bin('oxfmt'), ['--check'], { quiet: true }),
    await exec(bin('knip'), ['--no-config-hints'], { quiet: true }),
  ];
  const passed = results.filter(({ ok }) => ok).length;
  return { passed, failed: results.length - passed, skipped: 0 };
}

/** Unit and integration tests of everything that runs on Node: node:test, with real sockets and a real database. */
async function unit(): Promise<Count> {
  // Some of them start the whole application.
  await buildChanged();
  return nodeTests([
    `--test-concurrency=${testConcurrency()}`,
    'packages/{backup,contracts,graceful-server,service-kit,mongo-embedded,auth-emulator,static-server,demo-data,webpack-config}/src/**/*.test.ts',
    'svc-*/src/**/*.test.ts',
    'gateway/src/**/*.test.ts',
    'scripts/**/*.test.ts',
    'system-tests/src/**/*.test.ts',
    'deploy/tests/*.test.ts',
  ]);
}

async function nodeTests(args: readonly string[], env: Record<string, string> = {}): Promise<Count> {
  const files = join(scratch, 'files.jsonl');
  const reporters = [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${join(import.meta.dirname, 'files-reporter.ts')}`,
    `--test-reporter-destination=${files}`,
  ];
  const { ok, output } = await exec(process.execPath, ['--test', ...reporters, ...args], { env });
  noteRan(countsOfNode(existsSync(files) ? readFileSync(files, 'utf8') : ''));
  const figure = (label: string): number => Number(new RegExp(`^ℹ ${label} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  const failed = figure('fail') + figure('cancelled');
  // A runner may fail without naming a test.
  return {
    passed: figure('pass'),
    failed: ok ? failed : Math.max(1, failed),
    skipped: figure('skipped') + figure('todo'),
  };
}

/** Component tests of the front-ends: jest with jsdom. */
async function components(): Promise<Count> {
  const report = join(scratch, 'jest.json');
  const { ok } = await exec(process.execPath, [
    '--experimental-vm-modules',
    '--no-warnings',
    bin('jest'),
    `--maxWorkers=${availableParallelism()}`,
    '--json',
    `--outputFile=${report}`,
  ]);
  const results = JSON.parse(readFileSync(report, 'utf8')) as Record<
    'numPassedTests' | 'numFailedTests' | 'numPendingTests' | 'numFailedTestSuites',
    number
  > &
    Parameters<typeof countsOfJest>[0];
  noteRan(countsOfJest(results));
  const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites } = results;
  const failed = Math.max(numFailedTests, numFailedTestSuites);
  return { passed: numPassedTests, failed: ok ? failed : Math.max(1, failed), skipped: numPendingTests };
}

/**
 * The user journeys in a real Chromium against the real application, and in Firefox and WebKitGTK where they are
 * installed or can be.
 */
async function e2e(): Promise<Count> {
  const chromium = await ensureHeadlessChromium();
  const others = await ensureOtherEngines();
  await buildChanged();
  const report = join(scratch, 'playwright.json');
  const { ok } = await exec(bin('playwright'), ['test'], {
    cwd: join(root, 'e2e'),
    env: { ...others, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  });
  const results = JSON.parse(readFileSync(report, 'utf8')) as {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  } & Parameters<typeof flakyOfPlaywright>[0] &
    Parameters<typeof countsOfPlaywright>[0];
  noteRan(countsOfPlaywright(results));
  const { stats } = results;
  flaky.push(...flakyOfPlaywright(results));
  const failed = stats.unexpected + (flaky.length > allowedFlaky ? 1 : 0);
  return {
    passed: stats.expected + stats.flaky,
    failed: ok ? failed : Math.max(1, failed),
    skipped: stats.skipped,
  };
}

/** Builds and runs the containers; skipped with a message if there is no engine. */
async function compose(): Promise<Count> {
  return containerTests('docker/tests/*.test.ts');
}

/** The containers in Docker Swarm. */
async function swarm(): Promise<Count> {
  return containerTests('docker/tests/swarm/*.test.ts');
}

async function containerTests(files: string): Promise<Count> {
  const engine = await ensureEngine();
  if ('missing' in engine) {
    log(`The containers are not tested here: ${engine.missing}.`);
    return { passed: 0, failed: 0, skipped: 1 };
  }
  try {
    // One file at a time: BuildKit in older engines can panic over two builds that share their stages.
    return await nodeTests(['--test-concurrency=1', files], { CHROMIUM_PATH: await ensureHeadlessChromium() });
  } finally {
    await engine.release();
  }
}

/** Checks that the tests named as proof in the documents have run. */
async function claims(): Promise<Count> {
  const { held, open } = verifyClaims();
  return { passed: held, failed: open, skipped: 0 };
}

async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = [...items.entries()];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return results;
}
