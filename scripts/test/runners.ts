// Runs a kind of tests with its runner, and reads the runner's report.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../stack/settings.ts';
import { bin, exec } from './exec.ts';
import type { Run } from './repeat.ts';
import { readJest, readNode, readPlaywright, type JestReport, type PlaywrightReport } from './reports.ts';

const scratch = mkdtempSync(join(tmpdir(), 'clinic-test-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** Tests of node:test, each file in a process of its own. @param args - options and files, or patterns of files */
export async function nodeTests(
  args: readonly string[],
  options: { env?: Record<string, string>; quiet?: boolean; hush?: boolean } = {},
): Promise<Run & { readonly output: string }> {
  const files = join(mkdtempSync(join(scratch, 'files-')), 'files.jsonl');
  const reporters = [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${join(import.meta.dirname, 'files-reporter.ts')}`,
    `--test-reporter-destination=${files}`,
  ];
  const { ok, output } = await exec(process.execPath, ['--test', ...reporters, ...args], options);
  const figure = (label: string): number => Number(new RegExp(`^ℹ ${label} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  const failed = figure('fail') + figure('cancelled');
  // A runner may fail without naming a test.
  return {
    count: {
      passed: figure('pass'),
      failed: ok ? failed : Math.max(1, failed),
      skipped: figure('skipped') + figure('todo'),
    },
    report: readNode(existsSync(files) ? readFileSync(files, 'utf8') : ''),
    output,
  };
}

/** Tests of jest, with jsdom. @param args - options and files; all files if there are none */
export async function componentTests(args: readonly string[]): Promise<Run> {
  const report = join(scratch, 'jest.json');
  const { ok } = await exec(process.execPath, [
    '--experimental-vm-modules',
    '--no-warnings',
    bin('jest'),
    `--maxWorkers=${availableParallelism()}`,
    '--json',
    `--outputFile=${report}`,
    ...args,
  ]);
  const results = JSON.parse(readFileSync(report, 'utf8')) as Record<
    'numPassedTests' | 'numFailedTests' | 'numPendingTests' | 'numFailedTestSuites',
    number
  > &
    JestReport;
  const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites } = results;
  const failed = Math.max(numFailedTests, numFailedTestSuites);
  return {
    count: { passed: numPassedTests, failed: ok ? failed : Math.max(1, failed), skipped: numPendingTests },
    report: readJest(results),
  };
}

/** Playwright's tests. @param env - paths of the browsers */
export async function browserTests(
  env: Readonly<Record<string, string>>,
): Promise<Run & { readonly report: ReturnType<typeof readPlaywright> }> {
  const report = join(scratch, 'playwright.json');
  const { ok } = await exec(bin('playwright'), ['test'], {
    cwd: join(root, 'e2e'),
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  });
  const results = JSON.parse(readFileSync(report, 'utf8')) as {
    stats: Readonly<Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number>>;
  } & PlaywrightReport;
  const { expected, unexpected, flaky, skipped } = results.stats;
  const failed = ok ? unexpected : Math.max(1, unexpected);
  return { count: { passed: expected + flaky, failed, skipped }, report: readPlaywright(results) };
}
