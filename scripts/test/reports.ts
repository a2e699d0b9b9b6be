// Reads the runners' reports: results by file, and what to print about tests that failed.
import { readFileSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '../stack/settings.ts';
import type { FileCount } from './ran.ts';

/** A test that failed. */
export interface Failure {
  /** Absolute, or relative to the root. */
  readonly file: string;
  readonly line?: number;
  readonly title: string;
  readonly error: string;
}

/** The results of a runner. */
export interface Report {
  /** By path, absolute or relative to the root. */
  readonly counts: ReadonlyMap<string, FileCount>;
  readonly failures: readonly Failure[];
}

/** Lines of an error that say what was wrong; the rest is in the output above. */
const errorLines = 4;

/** A failure for the closing lines: place, title and the beginning of the error. */
export function describeFailure({ file, line, title, error }: Failure): string {
  const name = isAbsolute(file) ? relative(root, file) : file;
  const lines = stripVTControlCharacters(error)
    .split('\n')
    .filter((text) => text.trim() !== '')
    .slice(0, errorLines);
  return [`${name}${line === undefined ? '' : `:${line}`} ${title}`, ...lines.map((text) => `  ${text}`)].join('\n');
}

/** @param lines - output of `files-reporter.ts` */
export function readNode(lines: string): Report {
  const counts = new Map<string, FileCount>();
  const failures: Failure[] = [];
  for (const text of lines.split('\n').filter((line) => line !== '')) {
    const line = JSON.parse(text) as ({ file: string } & FileCount) | { failure: Failure };
    if ('failure' in line) {
      failures.push(line.failure);
      continue;
    }
    const { file, passed, failed, skipped } = line;
    counts.set(file, { passed, failed, skipped });
  }
  return { counts, failures };
}

/** The part of jest's report with the results of each file. */
export interface JestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName?: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

export function readJest({ testResults }: JestReport): Report {
  const counts = new Map<string, FileCount>();
  const failures: Failure[] = [];
  for (const { name: file, status, message = '', assertionResults } of testResults) {
    const count = (wanted: string): number => assertionResults.filter((each) => each.status === wanted).length;
    const failed = assertionResults
      .filter((each) => each.status === 'failed')
      .map(({ fullName: title = '', failureMessages = [] }) => ({ file, title, error: failureMessages.join('\n') }));
    // A file that fails before its first test has no test results.
    if (failed.length === 0 && status === 'failed') failed.push({ file, title: 'did not start', error: message });
    counts.set(file, { passed: count('passed'), failed: failed.length, skipped: count('pending') + count('todo') });
    failures.push(...failed);
  }
  return { counts, failures };
}

export interface PlaywrightTest {
  readonly status: string;
  readonly projectName: string;
  readonly results?: readonly {
    readonly error?: { readonly message?: string };
    readonly attachments?: readonly { readonly name: string; readonly path?: string }[];
  }[];
}

interface PlaywrightSuite {
  readonly file: string;
  readonly specs: readonly {
    readonly title: string;
    readonly line: number;
    readonly tests: readonly PlaywrightTest[];
  }[];
  readonly suites?: readonly PlaywrightSuite[];
}

interface PlacedTest extends PlaywrightTest {
  readonly file: string;
  readonly line: number;
  readonly title: string;
}

/** Playwright's JSON report, in which a file has several suites, one for each device. */
export interface PlaywrightReport {
  readonly config: { readonly rootDir: string };
  readonly suites: readonly PlaywrightSuite[];
}

/** Reads Playwright's report. A failure has the error of the last try. */
export function readPlaywright({ config, suites }: PlaywrightReport): Report & {
  /** Tests that passed only when repeated, with the error of the first try. */
  readonly flaky: readonly Failure[];
  /** What the pages showed when tests failed, be it only at first: the pictures stay on the machine that ran them. */
  readonly snapshots: readonly string[];
} {
  const tests = suites.flatMap(testsOf);
  const counts = new Map<string, FileCount>();
  for (const { file, status } of tests) {
    const name = join(config.rootDir, file);
    const { passed, failed, skipped } = counts.get(name) ?? { passed: 0, failed: 0, skipped: 0 };
    counts.set(name, {
      passed: passed + (status === 'expected' || status === 'flaky' ? 1 : 0),
      failed: failed + (status === 'unexpected' ? 1 : 0),
      skipped: skipped + (status === 'skipped' ? 1 : 0),
    });
  }
  const failuresOf = (wanted: string, attempt: number): Failure[] =>
    tests
      .filter(({ status }) => status === wanted)
      .map(({ file, line, title, projectName, results = [] }) => ({
        file: join(config.rootDir, file),
        line,
        title: `[${projectName}] ${title}`,
        error: results.at(attempt)?.error?.message ?? '',
      }));
  return {
    counts,
    failures: failuresOf('unexpected', -1),
    flaky: failuresOf('flaky', 0),
    snapshots: tests.flatMap(({ file, line, results = [] }) =>
      results
        .flatMap(({ attachments = [] }) => attachments)
        .flatMap(({ name, path }) => (name === 'error-context' && path !== undefined ? [path] : []))
        .map((path) => `${file}:${line} showed:\n${mainPartOf(path)}`),
    ),
  };
}

/** A suite's tests, those of the suites in it included. */
function testsOf({ file, specs, suites = [] }: PlaywrightSuite): PlacedTest[] {
  const own = specs.flatMap(({ title, line, tests }) => tests.map((one) => ({ file, title, line, ...one })));
  return [...own, ...suites.flatMap(testsOf)];
}

/** Lines of a page's snapshot that show what its main part held. */
const snapshotLines = 40;

/** @param path - a Markdown file that ends with the page as YAML */
function mainPartOf(path: string): string {
  const lines = readFileSync(path, 'utf8').split('\n');
  const snapshot = lines.slice(lines.indexOf('# Page snapshot') + 1);
  const main = Math.max(
    0,
    snapshot.findIndex((line) => /^\s*- main\b/.test(line)),
  );
  return snapshot.slice(main, main + snapshotLines).join('\n');
}
