// Runs test files of node:test, each in a process group of its own with a limit, the longest first.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { log } from '../log.ts';
import { root } from '../stack/settings.ts';
import { clockEnv } from './clock.ts';
import { longestFirst, noteTime } from './durations.ts';
import { idleShare } from './idle-share.ts';
import { startGroup } from './process-group.ts';
import type { FileCount } from './ran.ts';
import { sumOf, type Run } from './repeat.ts';
import { readNode, type Failure } from './reports.ts';
import { scratchFolder } from './scratch.ts';

/** How the files of a run are run. */
export interface NodeRun {
  /** How many run side by side. */
  readonly concurrency: number;
  /** How many more may, while processors have nothing to do: many files wait for timers and sockets. */
  readonly whileIdle?: number;
  /** Asks how idle they are. */
  readonly idleShareOf?: typeof idleShare;
  readonly env?: Readonly<Record<string, string>>;
  /** Further arguments to Node. */
  readonly args?: readonly string[];
  /** Prints a passing file's output, too. */
  readonly verbose?: boolean;
  /** Milliseconds that a file may take; by its kind if it isn't given. */
  readonly limit?: number;
  /** Milliseconds that a file's processes may outlive it. */
  readonly grace?: number;
  /** Milliseconds that they have to stop when asked. */
  readonly stopWithin?: number;
}

const minute = 60_000;

/** Generous: only a file that never ends reaches it. */
const limitOf = (file: string): number => {
  if (file.startsWith('docker/')) return 45 * minute;
  return file.includes('.int.test.') || /^(?:system-tests|scripts|deploy)\//.test(file) ? 10 * minute : 5 * minute;
};

/** Milliseconds between two looks at the processors, and the share of idle time at which another file starts. */
const [idlePollMs, idleEnough] = [2_000, 0.15];

/** The product's programs stop within ten seconds of their parent's end. */
const usualGrace = 15_000;

/** @param files - absolute, or relative to the root */
export async function nodeFiles(files: readonly string[], run: NodeRun): Promise<Run> {
  const queue = longestFirst(files.map(relativePath));
  const results: FileResult[] = [];
  const isLive = queue.length === 1;
  const runNext = async (): Promise<void> => {
    const file = queue.shift();
    if (file !== undefined) results.push(await runFile(file, run, isLive));
  };
  const work = async (): Promise<void> => {
    while (queue.length > 0) await runNext();
  };
  const idle = startWhileIdle(run, () => queue.length > 0, runNext);
  try {
    await Promise.all(Array.from({ length: Math.min(run.concurrency, queue.length) }, work));
    await Promise.all(idle.started);
  } finally {
    idle.stop();
  }
  return {
    count: sumOf(results.map(({ count }) => count)),
    report: {
      counts: new Map(results.map(({ file, count }) => [file, count])),
      failures: results.flatMap(({ failures }) => failures),
    },
  };
}

/** Starts one more at a time while processors are idle. */
function startWhileIdle(
  { whileIdle = 0, idleShareOf = idleShare }: NodeRun,
  isLeft: () => boolean,
  start: () => Promise<void>,
): { readonly started: readonly Promise<void>[]; stop(): void } {
  const started: Promise<void>[] = [];
  const idle = idleShareOf();
  let running = 0;
  const timer = setInterval(() => {
    if (idle() < idleEnough || running >= whileIdle || !isLeft()) return;
    running += 1;
    const one = start().finally(() => (running -= 1));
    // Whoever awaits all of them gets the error.
    one.catch(() => undefined);
    started.push(one);
  }, idlePollMs);
  return { started, stop: () => clearInterval(timer) };
}

interface FileResult {
  readonly file: string;
  readonly count: FileCount;
  readonly failures: readonly Failure[];
}

async function runFile(file: string, run: NodeRun, live: boolean): Promise<FileResult> {
  const { env, args = [], limit = limitOf(file), grace = usualGrace, verbose = false } = run;
  const [scratch, temporary] = [scratchFolder(), scratchFolder()];
  const lines = join(scratch, 'results.jsonl');
  const options = [
    `--import=${pathToFileURL(join(import.meta.dirname, 'lighter-hooks.ts')).href}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${join(import.meta.dirname, 'files-reporter.ts')}`,
    `--test-reporter-destination=${lines}`,
  ];
  const began = performance.now();
  const group = startGroup(process.execPath, [...args, ...options, resolve(root, file)], {
    // Hundreds of test files load the same modules. What a file leaves in TMPDIR is removed with it.
    env: { NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'), ...clockEnv(), ...env, TMPDIR: temporary },
    live,
    stopWithin: run.stopWithin,
  });
  let output = '';
  const read = (chunk: Buffer): void => void (output += chunk.toString());
  group.child.stdout?.on('data', read);
  group.child.stderr?.on('data', read);

  const stop = new AbortController();
  const late = new Promise<'late'>((resolveLate) => {
    const timer = setTimeout(() => resolveLate('late'), limit);
    stop.signal.addEventListener('abort', () => clearTimeout(timer));
  });
  const ended = await Promise.race([group.exited, late]).finally(() => stop.abort());
  const left = ended === 'late' ? [] : await group.empty(grace);
  await group.end();
  const ms = performance.now() - began;
  if (ended !== 'late') noteTime(file, ms);

  const results = readNode(file, existsSync(lines) ? readFileSync(lines, 'utf8') : '');
  const troubles = troublesOf(file, { ended, limit, left, isCounted: results.count !== undefined });
  const { passed = 0, failed = 0, skipped = 0 } = results.count ?? {};
  const failures = [...results.failures, ...troubles];
  const count = { passed, failed: Math.max(failed + troubles.length, ended === 0 ? 0 : 1), skipped };
  const isFine = count.failed === 0;
  if (!live && (verbose || !isFine)) process.stdout.write(output);
  log(`${file}: ${describe(count)} in ${(ms / 1_000).toFixed(1)} s`);
  for (const { title, error } of troubles) log(`  ${title}: ${error}`);
  for (const folder of [scratch, temporary]) rmSync(folder, { recursive: true, force: true });
  return { file, count, failures };
}

/** What is wrong with a file beside its tests. */
function troublesOf(
  file: string,
  seen: {
    readonly ended: number | string;
    readonly limit: number;
    readonly left: readonly string[];
    readonly isCounted: boolean;
  },
): Failure[] {
  const { ended, limit, left, isCounted } = seen;
  if (ended === 'late')
    return [{ file, title: 'never ended', error: `ended after ${Math.round(limit / 1_000)} s`, isFinal: true }];
  return [
    ...(isCounted ? [] : [{ file, title: 'did not get to its end', error: `ended with ${ended}; see its output` }]),
    ...(left.length > 0 ? [{ file, title: 'left processes behind', error: left.join('\n') }] : []),
  ];
}

const describe = ({ passed, failed, skipped }: FileCount): string =>
  `${passed} passed${failed > 0 ? `, ${failed} FAILED` : ''}${skipped > 0 ? `, ${skipped} skipped` : ''}`;

const relativePath = (file: string): string =>
  isAbsolute(file) && !relative(root, file).startsWith('..') ? relative(root, file) : file;
