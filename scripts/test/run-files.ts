import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ensureEngine } from '../compose/engine.ts';
import { log, UserError } from '../log.ts';
import { buildChanged } from '../stack/build.ts';
import { root } from '../stack/settings.ts';
import { ensureChromium, ensureHeadlessChromium } from './chromium.ts';
import { ensureOtherEngines } from './engines.ts';
import { bin } from './exec.ts';
import type { Runner, TestFile, Selection } from './selection.ts';

/** The text as a regular expression that matches it literally. */
const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/**
 * How many test files of Node run side by side: one more than there are processors, as about a quarter of their time
 * is spent waiting for sockets, timers and processes that start.
 */
export const testConcurrency = (): number => availableParallelism() + 1;

/** Runs test files in this terminal, each by its runner. @returns whether all passed */
export async function runFiles(files: readonly TestFile[], selection: Selection): Promise<boolean> {
  let passed = true;
  const by = (runner: Runner): string[] => files.filter((file) => file.runner === runner).map(({ path }) => path);
  for (const [runner, run] of [
    ['node', runNode],
    ['jest', runJest],
    ['playwright', runPlaywright],
  ] as const) {
    const paths = by(runner);
    if (paths.length === 0) continue;
    const ok = await run(paths, selection);
    passed &&= ok;
  }
  return passed;
}

async function runNode(paths: readonly string[], selection: Selection): Promise<boolean> {
  // Some tests there start the whole application.
  if (paths.some((path) => path.startsWith('scripts/stack/'))) await buildChanged();
  if (!paths.some((path) => path.startsWith('docker/tests/'))) return runNodeTests(paths, selection);
  const engine = await ensureEngine();
  if ('missing' in engine) throw new UserError(`The containers can't be tested here: ${engine.missing}.`);
  try {
    // BuildKit in older engines can panic over two builds that share their stages.
    return await runNodeTests(paths, selection, 1, { CHROMIUM_PATH: await ensureHeadlessChromium() });
  } finally {
    await engine.release();
  }
}

function runNodeTests(
  paths: readonly string[],
  { name, debug }: Selection,
  concurrency = testConcurrency(),
  env: Readonly<Record<string, string>> = {},
) {
  const args = [
    ...(debug ? ['--inspect-brk', '--test-isolation=none'] : []),
    '--test',
    `--test-concurrency=${concurrency}`,
    '--test-reporter=spec',
    // Without a matching test, a file's `after` doesn't run and its servers would keep it alive.
    ...(name === undefined ? [] : ['--test-force-exit', `--test-name-pattern=/${literally(name)}/`]),
    ...paths,
  ];
  return inTerminal(process.execPath, args, root, env);
}

function runJest(paths: readonly string[], { name, debug }: Selection) {
  return inTerminal(process.execPath, [
    '--experimental-vm-modules',
    '--no-warnings',
    ...(debug ? ['--inspect-brk'] : []),
    bin('jest'),
    ...(debug ? ['--runInBand'] : []),
    '--runTestsByPath',
    ...(name === undefined ? [] : ['--testNamePattern', literally(name)]),
    ...paths,
  ]);
}

async function runPlaywright(paths: readonly string[], { words, name, phone, firefox, headed, debug }: Selection) {
  const all = words.length === 0 && name === undefined && !phone && !firefox;
  const chromium = headed || debug ? await ensureChromium() : await ensureHeadlessChromium();
  const others = await ensureOtherEngines();
  await buildChanged();
  log('Starting a clinic for the browser tests …');
  return inTerminal(
    process.execPath,
    [
      join(root, 'node_modules/playwright/cli.js'),
      'test',
      '--reporter=list',
      // Single tests run on one device and in one browser; all tests on all of them.
      ...(all ? [] : [`--project=${projectOf(paths, phone, firefox)}`]),
      ...(headed ? ['--headed'] : []),
      ...(debug ? ['--debug'] : []),
      ...(name === undefined ? [] : ['--grep', literally(name)]),
      // Playwright takes patterns.
      ...paths.map((path) => literally(path.slice('e2e/'.length))),
    ],
    join(root, 'e2e'),
    { ...others, CHROMIUM_PATH: chromium },
  );
}

function projectOf(paths: readonly string[], phone: boolean, firefox: boolean): string {
  if (paths.length > 0 && paths.every((path) => path.includes('/engines/'))) return 'webkit';
  if (firefox) return 'firefox';
  return phone ? 'phone' : 'desktop';
}

/** Runs a program in this terminal. @returns whether it succeeded */
function inTerminal(
  file: string,
  args: readonly string[],
  cwd = root,
  env: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio: 'inherit' });
    const stop = (): boolean => child.kill('SIGTERM');
    process.once('disconnect', stop);
    child.on('error', reject);
    child.on('close', (code) => {
      process.off('disconnect', stop);
      resolve(code === 0);
    });
  });
}
