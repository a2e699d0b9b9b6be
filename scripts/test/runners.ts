// Runs a kind of tests with its runner, and reads what the runner's reporter wrote.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root } from '../stack/settings.ts';
import { inBatches, type BatchesResult } from './batches.ts';
import { clockEnv } from './clock.ts';
import { bin } from './exec.ts';
import { startGroup } from './process-group.ts';
import type { FileCount } from './ran.ts';
import { sumOf, type Run } from './repeat.ts';
import { readJest, readPlaywright, type Failure, type JestFile, type PlaywrightTest, type Report } from './reports.ts';
import { scratchFolder } from './scratch.ts';

/** Run by our own Node, whatever is first on PATH. */
export const playwright = join(root, 'node_modules/playwright/cli.js');

const minute = 60_000;
/** Generous: only a file that never ends reaches them. Playwright ends a test of its own accord after a minute or more. */
const limits = { jest: 10 * minute, playwright: 20 * minute };
/** Also a cold start, for which Playwright waits for a clinic. */
const quiet = 10 * minute;

interface RunnerOptions {
  /** Further options of the runner. */
  readonly args?: readonly string[];
  /** Milliseconds that a file may take. */
  readonly limit?: number;
  /** Milliseconds that the runner has to stop when asked. */
  readonly stopWithin?: number;
}

/** Tests of jest, with jsdom. @param files - relative to the root */
export async function componentTests(
  files: readonly string[],
  { args = [], limit = limits.jest, stopWithin }: RunnerOptions = {},
): Promise<Run> {
  const batches = await inBatches<JestFile>(
    files.map((file) => join(root, file)),
    {
      limit,
      quiet,
      start: (left, env) =>
        startGroup(
          process.execPath,
          [
            '--experimental-vm-modules',
            '--no-warnings',
            bin('jest'),
            // Tests of pages wait half of their time: one more keeps the processors busy meanwhile.
            `--maxWorkers=${availableParallelism() + 1}`,
            '--reporters=default',
            `--reporters=${join(import.meta.dirname, 'jest-progress.ts')}`,
            ...args,
            '--runTestsByPath',
            ...left,
          ],
          { env: { ...clockEnv(), ...env }, stopWithin },
        ),
    },
  );
  return runOf(batches, readJest(batches.results));
}

/**
 * Playwright's tests.
 *
 * @param files - relative to the root
 * @param env - paths of the browsers
 */
export async function browserTests(
  files: readonly string[],
  env: Readonly<Record<string, string>>,
  { args = [], limit = limits.playwright, stopWithin }: RunnerOptions = {},
): Promise<Run & { readonly report: ReturnType<typeof readPlaywright> }> {
  const batches = await inBatches<PlaywrightTest>(
    files.map((file) => join(root, file)),
    {
      limit,
      quiet,
      start: (left, progress) =>
        startGroup(process.execPath, [playwright, 'test', ...args, ...left.map(literally)], {
          cwd: join(root, 'e2e'),
          env: {
            ...clockEnv(),
            ...env,
            ...progress,
            // It would be made anew in each run's own folder for temporary files.
            PWTEST_CACHE_DIR: join(root, '.cache', 'playwright'),
            TMPDIR: scratchFolder(),
          },
          stopWithin,
        }),
    },
  );
  return runOf(batches, readPlaywright(batches.results));
}

/** The text as a regular expression that matches it literally: runners take patterns. */
export const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Adds what is wrong beside the tests. A runner may also fail without naming a test. */
function runOf<One extends Report>(
  { troubles, ok }: BatchesResult<unknown>,
  report: One,
): Run & { readonly report: One } {
  const counts = new Map(report.counts);
  for (const { file } of troubles) counts.set(file, addFailure(counts.get(file)));
  const failures: readonly Failure[] = [...report.failures, ...troubles];
  const count = sumOf([...counts.values()]);
  return {
    count: { ...count, failed: ok ? count.failed : Math.max(1, count.failed) },
    report: { ...report, counts, failures },
  };
}

const addFailure = (count: FileCount = { passed: 0, failed: 0, skipped: 0 }): FileCount => ({
  ...count,
  failed: count.failed + 1,
});
