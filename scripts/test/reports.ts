// Reads the runners' reports: results by file, and what to print about tests that failed.
import { readFileSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
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
  /** Repeating its file wouldn't help. */
  readonly isFinal?: boolean;
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

/**
 * Reads the results of a file.
 *
 * @param lines - output of `files-reporter.ts`
 * @returns without a count if the file didn't get to its end
 */
export function readNode(
  file: string,
  lines: string,
): { readonly count?: FileCount; readonly failures: readonly Failure[] } {
  const all = linesOf<{ readonly count: FileCount } | { readonly failure: Failure }>(lines);
  const [count] = all.flatMap((line) => ('count' in line ? [line.count] : []));
  return {
    ...(count && { count }),
    failures: all.flatMap((line) => ('failure' in line ? [{ ...line.failure, file: line.failure.file || file }] : [])),
  };
}

/** Lines of JSON; the last one may be cut off. */
export function linesOf<Line>(text: string): Line[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

/** What jest reports of a file. */
export interface JestFile {
  readonly name: string;
  readonly status: string;
  readonly message?: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly fullName?: string;
    readonly failureMessages?: readonly string[];
  }[];
}

export function readJest(files: readonly JestFile[]): Report {
  const counts = new Map<string, FileCount>();
  const failures: Failure[] = [];
  for (const { name: file, status, message = '', assertionResults } of files) {
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

/** What Playwright reports of a test after each try. */
export interface PlaywrightTest {
  /** Absolute. */
  readonly file: string;
  readonly line: number;
  readonly title: string;
  readonly projectName: string;
  /** After the tries so far: `expected`, `unexpected`, `flaky` or `skipped`. */
  readonly status: string;
  readonly results: readonly {
    readonly error?: { readonly message: string };
    readonly attachments?: readonly { readonly name: string; readonly path?: string }[];
  }[];
}

/** Reads Playwright's results, of which a test's last one counts. A failure has the error of the last try. */
export function readPlaywright(reported: readonly PlaywrightTest[]): Report & {
  /** Tests that passed only when repeated, with the error of the first try. */
  readonly flaky: readonly Failure[];
  /** What the pages showed when tests failed, be it only at first: the pictures stay on the machine that ran them. */
  readonly snapshots: readonly string[];
} {
  const idOf = ({ file, line, title, projectName }: PlaywrightTest): string =>
    [file, line, title, projectName].join('\n');
  const tests = [...new Map(reported.map((test) => [idOf(test), test])).values()];
  const counts = new Map<string, FileCount>();
  for (const { file, status } of tests) {
    const { passed, failed, skipped } = counts.get(file) ?? { passed: 0, failed: 0, skipped: 0 };
    counts.set(file, {
      passed: passed + (status === 'expected' || status === 'flaky' ? 1 : 0),
      failed: failed + (status === 'unexpected' ? 1 : 0),
      skipped: skipped + (status === 'skipped' ? 1 : 0),
    });
  }
  const failuresOf = (wanted: string, attempt: number): Failure[] =>
    tests
      .filter(({ status }) => status === wanted)
      .map(({ file, line, title, projectName, results }) => ({
        file,
        line,
        title: `[${projectName}] ${title}`,
        error: results.at(attempt)?.error?.message ?? '',
      }));
  return {
    counts,
    failures: failuresOf('unexpected', -1),
    flaky: failuresOf('flaky', 0),
    snapshots: tests.flatMap(({ file, line, results }) =>
      results
        .flatMap(({ attachments = [] }) => attachments)
        .flatMap(({ name, path }) => (name === 'error-context' && path !== undefined ? [path] : []))
        .map((path) => `${relative(root, file)}:${line} showed:\n${mainPartOf(path)}`),
    ),
  };
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
