// Runs test files of node:test, alone or in groups, each process in a process group of its own, the longest first.
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { log } from '../log.ts';
import { root } from '../stack/settings.ts';
import { knownDurations, longestFirst, noteTime, secondsOf } from './durations.ts';
import { groupFiles } from './groups.ts';
import { idleShare } from './idle-share.ts';
import { sumOf, type Run } from './repeat.ts';
import { readNode } from './reports.ts';
import { runGroup } from './run-group.ts';
import {
  limitOf,
  logResult,
  startTests,
  troublesOf,
  usualGrace,
  type FileResult,
  type NodeRun,
} from './test-process.ts';

/** Milliseconds between two looks at the processors, and the share of idle time at which another file starts. */
const [idlePollMs, idleEnough] = [2_000, 0.15];

/** @param files - absolute, or relative to the root */
export async function nodeFiles(files: readonly string[], run: NodeRun): Promise<Run> {
  const known = knownDurations();
  const sorted = longestFirst(files.map(relativePath), known);
  // With options to Node, such as the name of a test, each file is asked alone.
  const queue = run.args?.length ? sorted.map((file) => [file]) : groupFiles(sorted, (file) => secondsOf(file, known));
  const results: FileResult[] = [];
  const isLive = sorted.length === 1;
  const runNext = async (): Promise<void> => {
    const [file, ...others] = queue.shift() ?? [];
    if (file === undefined) return;
    const left = (run.endBy ?? Infinity) - Date.now();
    if (left <= 0) results.push(...[file, ...others].map(leftOut));
    else if (others.length === 0) results.push(await runFile(file, run, left, isLive));
    else results.push(...(await runGroup([file, ...others], run, noteTime)));
  };
  const work = async (): Promise<void> => {
    while (queue.length > 0) await runNext();
  };
  const idle = startWhileIdle(run, () => queue.length > 0, runNext);
  const workers = Array.from({ length: Math.min(run.concurrency, queue.length) }, work);
  try {
    await Promise.all(workers);
    await Promise.all(idle.started);
  } finally {
    idle.stop();
    // After an error, what runs ends, and nothing else starts.
    queue.length = 0;
    await Promise.allSettled([...workers, ...idle.started]);
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

/** @param left - milliseconds until the run has to be over */
async function runFile(file: string, run: NodeRun, left: number, live: boolean): Promise<FileResult> {
  const { limit = limitOf(file), grace = usualGrace, verbose = false } = run;
  const began = performance.now();
  const { group, lines, close } = startTests([resolve(root, file)], run, { reporter: 'files-reporter.ts', live });

  const stop = new AbortController();
  const late = new Promise<'late'>((resolveLate) => {
    const timer = setTimeout(() => resolveLate('late'), Math.min(limit, left));
    stop.signal.addEventListener('abort', () => clearTimeout(timer));
  });
  const ended = await Promise.race([group.exited, late]).finally(() => stop.abort());
  const outlived = ended === 'late' ? [] : await group.empty(grace);
  await group.end();
  const ms = performance.now() - began;
  if (ended !== 'late') noteTime(file, ms);

  const results = readNode(file, existsSync(lines) ? readFileSync(lines, 'utf8') : '');
  // What failed before has failed.
  if (ended === 'late' && left < limit && results.failures.length === 0) {
    close(verbose);
    return leftOut(file);
  }
  const troubles = troublesOf(file, { ended, limit, left: outlived, isCounted: results.count !== undefined });
  const { passed = 0, failed = 0, skipped = 0 } = results.count ?? {};
  const failures = [...results.failures, ...troubles];
  const count = { passed, failed: Math.max(failed + troubles.length, ended === 0 ? 0 : 1), skipped };
  close(verbose || count.failed > 0);
  logResult(file, count, ms, troubles);
  return { file, count, failures };
}

function leftOut(file: string): FileResult {
  log(`${file}: left out, the run has to be over`);
  return { file, count: { passed: 0, failed: 0, skipped: 1 }, failures: [] };
}

const relativePath = (file: string): string =>
  isAbsolute(file) && !relative(root, file).startsWith('..') ? relative(root, file) : file;
