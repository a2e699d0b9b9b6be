// Runs every check of the project and ends with a line of totals; called by `npm test`.
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { ensureEngine } from '../compose/engine.ts';
import { log, UserError } from '../log.ts';
import { buildChanged } from '../stack/build.ts';
import { root } from '../stack/settings.ts';
import { verifyClaims } from '../supply-chain/verify-claims.ts';
import { typePrograms } from '../type-programs.ts';
import { ensureHeadlessChromium } from './chromium.ts';
import { ensureOtherEngines } from './engines.ts';
import { runDomains } from './domain.ts';
import { bin, exec } from './exec.ts';
import { runFiles, testConcurrency } from './run-files.ts';
import { selectFiles, testFiles, parseSelection } from './selection.ts';
import { forgetRan, noteRan, type FileCount as Count } from './ran.ts';
import { allowedFlaky, repeatFailed, type Run } from './repeat.ts';
import { describeFailure, readNode, type Failure, type Report } from './reports.ts';
import { browserTests, componentTests, nodeTests } from './runners.ts';

const steps: Record<string, () => Promise<Count>> = { typecheck, lint, unit, components, compose, e2e, swarm, claims };
/**
 * Run beside `compose`, whose containers wait for each other half of the time. Not `e2e`: its browsers notice the
 * containers' networks come and go.
 */
const beside = ['typecheck', 'lint', 'unit', 'components'];
/** Too slow to run on every change; `npm test -- all` includes them. */
const long = new Set(['compose', 'swarm']);
/** Runs only when named: the images of `compose`, in Docker Swarm. */
const apart = new Set(['swarm']);
/** The tests of `compose`, if they run beside other steps. */
let begun: ReturnType<typeof nodeTests> | undefined;
const failures: Failure[] = [];
/** Tests that failed and then passed when repeated. Tests are only repeated in CI. */
const flaky: Failure[] = [];

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
  const isChosen = (name: string): boolean =>
    words.length === 0 ? !long.has(name) : words.includes(name) || (words.includes('all') && !apart.has(name));
  if (isChosen('compose') && beside.some(isChosen)) await beginCompose();
  const counts: Count[] = [];
  for (const [name, step] of Object.entries(steps)) {
    if (!isChosen(name)) continue;
    log(`--- ${name}`);
    const count = await step();
    log(
      `${name}: ${count.passed} passed, ${count.failed} failed${count.skipped > 0 ? `, ${count.skipped} skipped` : ''}`,
    );
    counts.push(count);
  }
  const totals = sum(counts);
  if (flaky.length > 0) {
    console.log(`\nFlaky: these tests only passed when repeated (more than ${allowedFlaky} of a kind fail the run).`);
    console.log(flaky.map(describeFailure).join('\n'));
  }
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map(describeFailure).join('\n')}`);
  console.log(
    `\n${totals.passed} passed, ${totals.failed} failed${totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''}`,
  );
  process.exitCode = totals.failed === 0 ? 0 : 1;
} catch (error) {
  console.error(`\n${error instanceof UserError ? error.message : (error as Error).stack}\n\n0 passed, 1 failed`);
  process.exitCode = 1;
} finally {
  if (process.connected) process.disconnect();
}

/** Counts folders: those of a failed run of the compiler have all failed. */
async function typecheck(): Promise<Count> {
  const results = await inParallel(typePrograms(), async ({ config, folders }) => {
    const { ok, output } = await exec(bin('tsc'), ['-p', config, '--pretty', 'false'], { quiet: true });
    if (!ok) failures.push({ file: config, title: 'has type errors', error: output });
    return { passed: ok ? folders.length : 0, failed: ok ? 0 : folders.length, skipped: 0 };
  });
  return sum(results);
}

/** Lint with circular imports, formatting, unused code. */
async function lint(): Promise<Count> {
  const tools = [
    ['oxlint', '--type-aware', '--deny-warnings'],
    ['knip', '--no-config-hints'],
    ['oxfmt', '--check'],
  ] as const;
  const results = await inParallel(tools, async ([tool, ...args]) => {
    const { ok, output } = await exec(bin(tool), args, { quiet: true });
    if (!ok) failures.push({ file: '.', title: [tool, ...args].join(' '), error: output });
    return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
  });
  return sum(results);
}

/** Unit and integration tests of everything that runs on Node: node:test, with real sockets and a real database. */
async function unit(): Promise<Count> {
  // Some of them start the whole application.
  await buildChanged();
  const first = await nodeTests([
    // The containers take the place of a test file.
    `--test-concurrency=${testConcurrency() - (begun === undefined ? 0 : 1)}`,
    'packages/{backup,contracts,graceful-server,service-kit,mongo-embedded,auth-emulator,static-server,demo-data,webpack-config}/src/**/*.test.ts',
    'svc-*/src/**/*.test.ts',
    'gateway/src/**/*.test.ts',
    'scripts/**/*.test.ts',
    'system-tests/src/**/*.test.ts',
    'deploy/tests/*.test.ts',
  ]);
  return settle(first, (files) => nodeTests(['--test-concurrency=1', ...files]));
}

/**
 * Records a runner's results, for the claims and the closing lines. In CI failed files are repeated first.
 *
 * @param again - runs test files alone
 */
async function settle(first: Run, again: (files: readonly string[]) => Promise<Run>): Promise<Count> {
  const alone = async (files: readonly string[]): Promise<Run> => {
    await begun?.catch(() => undefined);
    log(`Repeating what failed: ${files.map((file) => relative(root, file)).join(', ')} …`);
    return again(files);
  };
  const run = process.env['CI'] ? await repeatFailed(first, alone) : { ...first, flaky: [] };
  return note(run.count, run.report, run.flaky);
}

/** Records a runner's results. @returns the count, with a failure if too many tests are flaky */
function note(count: Count, { counts, failures: failed }: Report, repeated: readonly Failure[]): Count {
  noteRan(counts);
  failures.push(...failed);
  flaky.push(...repeated);
  return { ...count, failed: count.failed + (repeated.length > allowedFlaky ? 1 : 0) };
}

/** Component tests of the front-ends: jest with jsdom. */
async function components(): Promise<Count> {
  return settle(await componentTests([]), (files) => componentTests(['--runTestsByPath', ...files]));
}

/**
 * The user journeys in a real Chromium against the real application, and in Firefox and WebKitGTK where they are
 * installed or can be.
 */
async function e2e(): Promise<Count> {
  const chromium = await ensureHeadlessChromium();
  const others = await ensureOtherEngines();
  await buildChanged();
  const { count, report } = await browserTests({ ...others, CHROMIUM_PATH: chromium });
  for (const snapshot of report.snapshots) console.log(`\n${snapshot}`);
  return note(count, report, report.flaky);
}

/** Begins the tests of `compose`, whose output is printed at their turn. First installs what they need: apt works alone. */
async function beginCompose(): Promise<void> {
  const run = await prepareContainers('docker/tests/*.test.ts');
  log('Testing the containers beside what follows …');
  begun = run({ quiet: true, hush: true });
  // A failure is reported at its turn.
  begun.catch(() => undefined);
}

/** Builds and runs the containers; skipped with a message if there is no engine. */
async function compose(): Promise<Count> {
  const first = await (begun ?? containerTests('docker/tests/*.test.ts'));
  if (begun !== undefined) process.stdout.write(first.output);
  return settle(first, (files) => containerTests(...files));
}

/** The containers in Docker Swarm. */
async function swarm(): Promise<Count> {
  const { count, report } = await containerTests('docker/tests/swarm/*.test.ts');
  return note(count, report, []);
}

async function containerTests(...files: readonly string[]): ReturnType<typeof nodeTests> {
  return (await prepareContainers(...files))({});
}

/** Makes an engine ready. @returns a function that runs the tests and stops the engine */
async function prepareContainers(
  ...files: readonly string[]
): Promise<(options: { quiet?: boolean; hush?: boolean }) => ReturnType<typeof nodeTests>> {
  const engine = await ensureEngine();
  if ('missing' in engine) {
    log(`The containers are not tested here: ${engine.missing}.`);
    const count = { passed: 0, failed: 0, skipped: 1 };
    return () => Promise.resolve({ count, report: readNode(''), output: '' });
  }
  const env = { CHROMIUM_PATH: await ensureHeadlessChromium() };
  return async (options) => {
    try {
      // One file at a time: BuildKit in older engines can panic over two builds that share their stages.
      return await nodeTests(['--test-concurrency=1', ...files], { ...options, env });
    } finally {
      await engine.release();
    }
  };
}

/** Checks that the tests named as proof in the documents have run. */
async function claims(): Promise<Count> {
  const { held, open } = verifyClaims();
  return { passed: held, failed: open, skipped: 0 };
}

function sum(counts: readonly Count[]): Count {
  const total = (of: keyof Count): number => counts.reduce((all, count) => all + count[of], 0);
  return { passed: total('passed'), failed: total('failed'), skipped: total('skipped') };
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
