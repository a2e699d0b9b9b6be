import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ensureEngine } from '../compose/engine.ts';
import { log, UserError } from '../log.ts';
import { buildChanged } from '../stack/build.ts';
import { root } from '../stack/settings.ts';
import { ensureChromium, ensureHeadlessChromium } from './chromium.ts';
import { ensureOtherEngines } from './engines.ts';
import { clockEnv, setClock } from './clock.ts';
import { bin } from './exec.ts';
import { nodeFiles } from './node-files.ts';
import type { FileCount } from './ran.ts';
import { sumOf } from './repeat.ts';
import { browserTests, componentTests, literally, playwright } from './runners.ts';
import type { TestFile, Selection } from './selection.ts';
import type { NodeRun } from './test-process.ts';

/**
 * How many test files of Node run side by side: one more than there are processors, and up to as many again while those
 * are idle. A file waits for sockets, timers and starting processes for a quarter to nearly all of its time.
 */
export const sideBySide = (): { readonly concurrency: number; readonly whileIdle: number } => ({
  concurrency: availableParallelism() + 1,
  whileIdle: availableParallelism() + 1,
});

/** Runs test files, each by its runner, and prints a last line that counts the tests. @returns whether all passed */
export async function runFiles(files: readonly TestFile[], selection: Selection): Promise<boolean> {
  if (selection.clock !== undefined) setClock(selection.clock);
  const counts: FileCount[] = [];
  for (const [runner, run] of [
    ['node', runNode],
    ['jest', runJest],
    ['playwright', runPlaywright],
  ] as const) {
    const paths = files.filter((file) => file.runner === runner).map(({ path }) => path);
    if (paths.length > 0) counts.push(await run(paths, selection));
  }
  const total = sumOf(counts);
  console.log(`\n${lastLine(total)}`);
  return total.failed === 0;
}

/** The line that ends each run. */
export const lastLine = ({ passed, failed, skipped }: FileCount): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/** Whether a test file needs an engine for containers. */
export const isOfContainers = (path: string): boolean => path.startsWith('docker/tests/');

async function runNode(paths: readonly string[], selection: Selection): Promise<FileCount> {
  // Some tests there start the whole application.
  if (paths.some((path) => path.startsWith('scripts/stack/'))) await buildChanged();
  if (!paths.some(isOfContainers)) return runNodeTests(paths, selection, sideBySide());
  const engine = await ensureEngine();
  if ('missing' in engine) throw new UserError(`The containers can't be tested here: ${engine.missing}.`);
  try {
    // BuildKit in older engines can panic over two builds that share their stages.
    return await runNodeTests(paths, selection, { concurrency: 1 }, { CHROMIUM_PATH: await ensureHeadlessChromium() });
  } finally {
    await engine.release();
  }
}

async function runNodeTests(
  paths: readonly string[],
  { name, debug }: Selection,
  parallel: Pick<NodeRun, 'concurrency' | 'whileIdle'>,
  env: Readonly<Record<string, string>> = {},
): Promise<FileCount> {
  // Without a matching test, a file's `after` doesn't run and its servers would keep it alive.
  const named = name === undefined ? [] : ['--test-force-exit', `--test-name-pattern=/${literally(name)}/`];
  if (debug)
    return inTerminal(process.execPath, ['--inspect-brk', '--test-isolation=none', '--test', ...named, ...paths], {
      env,
    });
  return (await nodeFiles(paths, { ...parallel, env, args: named, verbose: true })).count;
}

async function runJest(paths: readonly string[], { name, debug }: Selection): Promise<FileCount> {
  const named = name === undefined ? [] : ['--testNamePattern', literally(name)];
  if (!debug) return (await componentTests(paths, { args: named })).count;
  const options = ['--experimental-vm-modules', '--no-warnings', '--inspect-brk', bin('jest'), '--runInBand'];
  return inTerminal(process.execPath, [...options, ...named, '--runTestsByPath', ...paths]);
}

async function runPlaywright(
  paths: readonly string[],
  { words, name, phone, firefox, headed, debug }: Selection,
): Promise<FileCount> {
  const all = words.length === 0 && name === undefined && !phone && !firefox;
  const chromium = headed || debug ? await ensureChromium() : await ensureHeadlessChromium();
  // One file is shown at once, without installing what it doesn't need.
  const project = projectOf(paths, phone, firefox);
  const others = all || project === 'firefox' || project === 'webkit' ? await ensureOtherEngines() : {};
  const env = { ...others, CHROMIUM_PATH: chromium };
  await buildChanged();
  log('Starting a clinic for the browser tests …');
  const args = [
    // Single tests run on one device and in one browser; all tests on all of them.
    ...(all ? [] : [`--project=${project}`]),
    ...(name === undefined ? [] : ['--grep', literally(name)]),
  ];
  if (!headed && !debug) return (await browserTests(paths, env, { args })).count;
  const shown = [...(headed ? ['--headed'] : []), ...(debug ? ['--debug'] : [])];
  const files = paths.map((path) => literally(path.slice('e2e/'.length)));
  return inTerminal(process.execPath, [playwright, 'test', ...args, ...shown, ...files], {
    cwd: join(root, 'e2e'),
    env,
  });
}

function projectOf(paths: readonly string[], phone: boolean, firefox: boolean): string {
  if (paths.length > 0 && paths.every((path) => path.includes('/engines/'))) return 'webkit';
  if (firefox) return 'firefox';
  return phone ? 'phone' : 'desktop';
}

/** Runs a program in this terminal, which its user looks after. @returns one passed, or one failed */
function inTerminal(
  file: string,
  args: readonly string[],
  { cwd = root, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<FileCount> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env: { ...process.env, ...clockEnv(), ...env }, stdio: 'inherit' });
    const stop = (): boolean => child.kill('SIGTERM');
    process.once('disconnect', stop);
    child.on('error', reject);
    child.on('close', (code) => {
      process.off('disconnect', stop);
      resolve({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 });
    });
  });
}
