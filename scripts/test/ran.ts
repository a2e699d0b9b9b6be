// Which test files ran, and how: the test runner writes it down, `npm run verify:claims` reads it.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { root } from '../stack/settings.ts';

/** How the tests of a file went. */
export interface FileCount {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The latest run of a file. */
export interface RanFile extends FileCount {
  /** When it ended, ISO 8601. */
  readonly at: string;
  /** SHA-256 of the file as it was then. */
  readonly sha256: string;
}

/** By path from the repository's root. */
export type RanFiles = Readonly<Record<string, RanFile>>;

const listPath = join(root, '.cache', 'tests-ran.json');

/** What is known to have run; nothing before the first run. */
export function readRan(path = listPath): RanFiles {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as RanFiles) : {};
}

/** Forgets all runs: what is on the list afterwards ran in this one. */
export function forgetRan(path = listPath): void {
  rmSync(path, { force: true });
}

/** Adds runs to the list. @param counts - by path, absolute or from the root */
export function noteRan(counts: ReadonlyMap<string, FileCount>, path = listPath): void {
  const now = new Date().toISOString();
  const files: Record<string, RanFile> = { ...readRan(path) };
  for (const [file, count] of counts) {
    const name = isAbsolute(file) ? relative(root, file) : file;
    files[name] = { ...count, at: now, sha256: digestOf(join(root, name)) };
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, JSON.stringify(files, undefined, 1));
  renameSync(`${path}.new`, path);
}

export function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** The part of jest's report that says how each file went. */
interface JestReport {
  readonly testResults: readonly { readonly name: string; readonly status: string; readonly assertionResults: readonly { readonly status: string }[] }[];
}

export function countsOfJest({ testResults }: JestReport): Map<string, FileCount> {
  return new Map(testResults.map(({ name, status, assertionResults }) => {
    const count = (wanted: string): number => assertionResults.filter((each) => each.status === wanted).length;
    // A file that breaks before its first test has none.
    const failed = Math.max(count('failed'), status === 'failed' ? 1 : 0);
    return [name, { passed: count('passed'), failed, skipped: count('pending') + count('todo') }];
  }));
}

interface PlaywrightSuite {
  readonly file: string;
  readonly specs: readonly { readonly tests: readonly { readonly status: string }[] }[];
  readonly suites?: readonly PlaywrightSuite[];
}

/** @param report - Playwright's JSON; a file has several suites, one for each device */
export function countsOfPlaywright({ config, suites }: { readonly config: { readonly rootDir: string }; readonly suites: readonly PlaywrightSuite[] }): Map<string, FileCount> {
  const counts = new Map<string, FileCount>();
  const add = ({ file, specs, suites: inner = [] }: PlaywrightSuite): void => {
    const name = join(config.rootDir, file);
    for (const { status } of specs.flatMap(({ tests }) => tests)) {
      const { passed, failed, skipped } = counts.get(name) ?? { passed: 0, failed: 0, skipped: 0 };
      counts.set(name, {
        passed: passed + (status === 'expected' || status === 'flaky' ? 1 : 0), failed: failed + (status === 'unexpected' ? 1 : 0), skipped: skipped + (status === 'skipped' ? 1 : 0),
      });
    }
    for (const each of inner) add(each);
  };
  for (const suite of suites) add(suite);
  return counts;
}

/** @param lines - what `files-reporter.ts` wrote */
export function countsOfNode(lines: string): Map<string, FileCount> {
  const files = lines.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as { file: string } & FileCount);
  return new Map(files.map(({ file, passed, failed, skipped }) => [file, { passed, failed, skipped }]));
}
