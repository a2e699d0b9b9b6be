// Records which test files ran, with their results: written by the test runner, read by `npm run verify:claims`.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { root } from '../stack/settings.ts';

/** Results of a file's tests. */
export interface FileCount {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The latest run of a file. */
export interface RanFile extends FileCount {
  /** When it ended, ISO 8601. */
  readonly at: string;
  /** SHA-256 of the file at that time. */
  readonly sha256: string;
}

/** By path relative to the repository's root. */
export type RanFiles = Readonly<Record<string, RanFile>>;

const listPath = join(root, '.cache', 'tests-ran.json');

/** The recorded runs; empty before the first one. */
export function readRan(path = listPath): RanFiles {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as RanFiles) : {};
}

/** Clears the record, so that it only has this run afterwards. */
export function forgetRan(path = listPath): void {
  rmSync(path, { force: true });
}

/** Adds runs to the record. @param counts - results by path, absolute or relative to the root */
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

/** The part of jest's report with the results of each file. */
interface JestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

export function countsOfJest({ testResults }: JestReport): Map<string, FileCount> {
  return new Map(
    testResults.map(({ name, status, assertionResults }) => {
      const count = (wanted: string): number => assertionResults.filter((each) => each.status === wanted).length;
      // A file that fails before its first test has no test results.
      const failed = Math.max(count('failed'), status === 'failed' ? 1 : 0);
      return [name, { passed: count('passed'), failed, skipped: count('pending') + count('todo') }];
    }),
  );
}

interface PlaywrightSuite {
  readonly file: string;
  readonly specs: readonly {
    readonly title: string;
    readonly line: number;
    readonly tests: readonly { readonly status: string; readonly projectName: string }[];
  }[];
  readonly suites?: readonly PlaywrightSuite[];
}

/** Reads Playwright's JSON report, in which a file has several suites, one for each device. */
export function countsOfPlaywright({
  config,
  suites,
}: {
  readonly config: { readonly rootDir: string };
  readonly suites: readonly PlaywrightSuite[];
}): Map<string, FileCount> {
  const counts = new Map<string, FileCount>();
  const add = ({ file, specs, suites: inner = [] }: PlaywrightSuite): void => {
    const name = join(config.rootDir, file);
    for (const { status } of specs.flatMap(({ tests }) => tests)) {
      const { passed, failed, skipped } = counts.get(name) ?? { passed: 0, failed: 0, skipped: 0 };
      counts.set(name, {
        passed: passed + (status === 'expected' || status === 'flaky' ? 1 : 0),
        failed: failed + (status === 'unexpected' ? 1 : 0),
        skipped: skipped + (status === 'skipped' ? 1 : 0),
      });
    }
    for (const each of inner) add(each);
  };
  for (const suite of suites) add(suite);
  return counts;
}

/** The tests of Playwright's JSON report that passed only when repeated: device, place and title. */
export function flakyOfPlaywright({ suites }: { readonly suites: readonly PlaywrightSuite[] }): string[] {
  return suites.flatMap(({ file, specs, suites: inner = [] }) => [
    ...specs.flatMap(({ title, line, tests }) =>
      tests
        .filter(({ status }) => status === 'flaky')
        .map(({ projectName }) => `[${projectName}] ${file}:${line} ${title}`),
    ),
    ...flakyOfPlaywright({ suites: inner }),
  ]);
}

/** @param lines - output of `files-reporter.ts` */
export function countsOfNode(lines: string): Map<string, FileCount> {
  const files = lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { file: string } & FileCount);
  return new Map(files.map(({ file, passed, failed, skipped }) => [file, { passed, failed, skipped }]));
}
