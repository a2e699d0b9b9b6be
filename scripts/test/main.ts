// Runs every check of the project and ends with a line of totals; called by `npm test`.
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { ensureEngine } from '../compose/engine.ts';
import { log, UserError } from '../log.ts';
import { buildChanged } from '../stack/build.ts';
import { root } from '../stack/settings.ts';
import { verifyClaims } from '../supply-chain/verify-claims.ts';
import { typePrograms } from '../type-programs.ts';
import { setClock } from './clock.ts';
import { ensureHeadlessChromium } from './chromium.ts';
import { ensureOtherEngines } from './engines.ts';
import { runDomains } from './domain.ts';
import { bin, exec } from './exec.ts';
import { nodeFiles } from './node-files.ts';
import { lastLine, runFiles, sideBySide } from './run-files.ts';
import { parseSelection, selectFiles, isPart, stepOf, testFiles } from './selection.ts';
import { forgetRan, noteRan, type FileCount as Count } from './ran.ts';
import { allowedFlaky, repeatFailed, sumOf, type Run } from './repeat.ts';
import { describeFailure, type Failure, type Report } from './reports.ts';
import { browserTests, componentTests } from './runners.ts';
import type { NodeRun } from './test-process.ts';

const steps: Record<string, () => Promise<Count>> = {
  typecheck,
  lint,
  unit,
  components,
  e2e,
  releases,
  long,
  engines,
  compose,
  swarm,
  claims,
};
/** What `npm test` runs. */
const usual = ['typecheck', 'lint', 'unit', 'components', 'e2e', 'claims'];
/** Sets of steps with a name: `rest` is what the pipeline runs after `npm test`. */
const sets: Readonly<Record<string, readonly string[]>> = {
  rest: ['releases', 'long', 'engines', 'compose', 'claims'],
};
/** When the pipeline has to be over, milliseconds since 1970: what doesn't end before is left out, and counted as skipped. */
const endBy = Number(process.env['CLINIC_TESTS_END_BY'] ?? Infinity);
/** Milliseconds that a step in browsers may take on a slow machine. */
const browsersTake = 22 * 60_000;

/** Kinds of tests, whose claims are checked at the end of a run that has them. */
const chosen = new Set<string>();
const failures: Failure[] = [];
/** Tests that failed and then passed when repeated. */
const flaky: Failure[] = [];

try {
  const usage = `npm test -- [${[...Object.keys(steps), ...Object.keys(sets)].join('|')} …], [domain NAME …] or [FILE …] [--name TEXT]`;
  const selection = parseSelection(process.argv.slice(2), usage);
  const { words, name, phone, firefox, headed, debug, clock } = selection;
  if (words[0] === 'domain') process.exit((await runDomains(words.slice(1), selection)) ? 0 : 1);
  const isStep = (word: string): boolean => Object.hasOwn(steps, word) || Object.hasOwn(sets, word);
  if (!words.every(isStep) || name !== undefined || phone || firefox || headed || debug) {
    const step = words.find(isStep);
    if (step !== undefined)
      throw new UserError(`'${step}' is a whole kind of test: name either kinds or files, and --name only with files.`);
    const files = selectFiles(testFiles(), selection, root);
    process.exit((await runFiles(files, selection)) ? 0 : 1);
  }
  if (clock !== undefined) setClock(clock);
  if (words.length === 0) forgetRan();
  for (const word of words.length === 0 ? usual : words.flatMap((one) => sets[one] ?? one)) chosen.add(word);
  const counts: Count[] = [];
  for (const step of Object.keys(steps)) if (chosen.has(step)) counts.push(await runStep(step));
  const totals = sumOf(counts);
  if (flaky.length > 0) {
    console.log(`\nFlaky: these tests only passed when repeated (more than ${allowedFlaky} of a kind fail the run).`);
    console.log(flaky.map(describeFailure).join('\n'));
  }
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map(describeFailure).join('\n')}`);
  console.log(`\n${lastLine(totals)}`);
  process.exitCode = totals.failed === 0 ? 0 : 1;
} catch (error) {
  console.error(`\n${error instanceof UserError ? error.message : (error as Error).stack}\n\n0 passed, 1 failed`);
  process.exitCode = 1;
}

async function runStep(step: string): Promise<Count> {
  log(`--- ${step}`);
  const count = (await steps[step]?.()) ?? sumOf([]);
  log(`${step}: ${lastLine(count)}`);
  return count;
}

/** Counts folders: those of a failed run of the compiler have all failed. */
async function typecheck(): Promise<Count> {
  const results = await inParallel(typePrograms(), async ({ config, folders }) => {
    // A compiler a processor: each would start four checkers, which compute the same types again.
    const args = ['-p', config, '--pretty', 'false', '--checkers', '1'];
    const { ok, output } = await exec(bin('tsc'), args, { quiet: true });
    if (!ok) failures.push({ file: config, title: 'has type errors', error: output });
    return { passed: ok ? folders.length : 0, failed: ok ? 0 : folders.length, skipped: 0 };
  });
  return sumOf(results);
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
  return sumOf(results);
}

/** The files of a step, relative to the root. */
function filesOf(step: string): string[] {
  return testFiles().flatMap(({ path }) => (stepOf(path) === step && !isPart(path) ? [path] : []));
}

/** Unit and integration tests of everything that runs on Node: node:test, with real sockets and a real database. */
function unit(): Promise<Count> {
  return nodeTests('unit', sideBySide());
}

/** Those that take minutes each. Most start the whole application: more of them reach limits on a slow machine. */
function long(): Promise<Count> {
  return nodeTests('long', { concurrency: availableParallelism(), whileIdle: 1 });
}

async function nodeTests(step: string, run: NodeRun): Promise<Count> {
  // Some of them start the whole application.
  await buildChanged();
  const first = await nodeFiles(filesOf(step), { ...run, endBy });
  return settle(first, (files) => nodeFiles(files, { concurrency: 1, endBy }));
}

/**
 * Records a runner's results, for the claims and the closing lines. Failed files are repeated first.
 *
 * @param again - runs test files alone
 */
async function settle(first: Run, again: (files: readonly string[]) => Promise<Run>): Promise<Count> {
  const alone = (files: readonly string[]): Promise<Run> => {
    log(`Repeating what failed: ${files.join(', ')} …`);
    return again(files);
  };
  const run = await repeatFailed(first, alone);
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
  return settle(await componentTests(filesOf('components')), (files) =>
    componentTests(files.map((file) => relative(root, file))),
  );
}

/** The user journeys in a real Chromium against the real application. */
function e2e(): Promise<Count> {
  return inBrowsers(filesOf('e2e'), {});
}

/** Front-ends of frozen releases, and what developers work with, in Chromium. */
function releases(): Promise<Count> {
  return inBrowsers(filesOf('releases'), {});
}

/** Some of them in Firefox and WebKitGTK, where they are installed or can be; otherwise skipped with a message. */
async function engines(): Promise<Count> {
  const others = await ensureOtherEngines();
  const args = [
    ...(others.FIREFOX_PATH === undefined ? [] : ['--project=firefox']),
    ...(others.WEBKIT_DRIVER_PATH === undefined ? [] : ['--project=webkit']),
  ];
  if (args.length > 0) return inBrowsers([...filesOf('engines'), ...filesOf('e2e')], others, { args });
  const { count, report } = skipped(filesOf('engines'));
  return note(count, report, []);
}

async function inBrowsers(
  files: readonly string[],
  others: Readonly<Record<string, string>>,
  options: { readonly args?: readonly string[] } = {},
): Promise<Count> {
  if (Date.now() > endBy - browsersTake) {
    log(`Left out, the run has to be over: ${files.join(', ')}`);
    const { count, report } = skipped(files);
    return note(count, report, []);
  }
  const chromium = await ensureHeadlessChromium();
  await buildChanged();
  const env = { ...others, CHROMIUM_PATH: chromium, CLINIC_WHOLE_RUN: 'true' };
  const { count, report } = await browserTests(files, env, options);
  for (const snapshot of report.snapshots) console.log(`\n${snapshot}`);
  return note(count, report, report.flaky);
}

/** Builds and runs the containers; skipped with a message if there is no engine. */
async function compose(): Promise<Count> {
  return settle(await containerTests(filesOf('compose')), containerTests);
}

/** The containers in Docker Swarm. */
async function swarm(): Promise<Count> {
  const { count, report } = await containerTests(filesOf('swarm'));
  return note(count, report, []);
}

async function containerTests(files: readonly string[]): Promise<Run> {
  const engine = await ensureEngine();
  if ('missing' in engine) {
    log(`The containers are not tested here: ${engine.missing}.`);
    return skipped(files);
  }
  try {
    const env = { CHROMIUM_PATH: await ensureHeadlessChromium() };
    // One file at a time: BuildKit in older engines can panic over two builds that share their stages.
    return await nodeFiles(files, { concurrency: 1, env, endBy });
  } finally {
    await engine.release();
  }
}

/** Each file by name: what a document claims of it is skipped as well, and doesn't fail. */
function skipped(files: readonly string[]): Run {
  const counts = new Map(files.map((file) => [file, { passed: 0, failed: 0, skipped: 1 }]));
  return { count: sumOf([...counts.values()]), report: { counts, failures: [] } };
}

/** Checks that the tests named as proof in the documents have run, as far as this run has their kind. */
async function claims(): Promise<Count> {
  const isOfRun = (file: string): boolean => chosen.size === 1 || chosen.has(stepOf(file));
  const { held: passed, open: failed, skipped: left } = verifyClaims(isOfRun);
  return { passed, failed, skipped: left };
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
