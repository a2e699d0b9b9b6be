// Repeats, once and without others of their kind beside them, the test files that failed.
import type { Failure, Report } from './reports.ts';
import type { FileCount } from './ran.ts';

/** What a runner did. */
export interface Run {
  readonly count: FileCount;
  readonly report: Report;
}

/** A run, with the repeat of what failed. */
export interface RepeatedRun extends Run {
  /** Tests that failed and then passed when repeated, with their first errors. */
  readonly flaky: readonly Failure[];
}

/**
 * With more flaky tests of one kind, the run fails. A stalled machine explains one or two that fail by chance, not more.
 * Nor are more failed files repeated.
 */
export const allowedFlaky = 2;

/**
 * Repeats the failed files of a run. Whole files: tests of one file can build on each other.
 *
 * @param again - runs test files alone
 */
export async function repeatFailed(
  first: Run,
  again: (files: readonly string[]) => Promise<Run>,
): Promise<RepeatedRun> {
  const failed = [...first.report.counts].filter(([, { failed: tests }]) => tests > 0);
  // A runner that failed without naming a file has to be looked at.
  const isNamed = failed.length > 0 && first.count.failed === failed.reduce((sum, [, count]) => sum + count.failed, 0);
  const isFinal = first.report.failures.some((failure) => failure.isFinal);
  if (!isNamed || isFinal || failed.length > allowedFlaky) return { ...first, flaky: [] };
  const second = await again(failed.map(([file]) => file));
  // A file that has fewer tests than before didn't pass.
  const fewer = failed.some(([file, before]) => testsOf(second.report.counts.get(file)) < testsOf(before));
  if (second.count.failed > 0 || fewer) return { ...first, flaky: [] };
  return {
    count: { ...first.count, passed: first.count.passed + first.count.failed, failed: 0 },
    report: { counts: new Map([...first.report.counts, ...second.report.counts]), failures: [] },
    flaky: first.report.failures,
  };
}

/** The counts together. */
export function sumOf(counts: readonly FileCount[]): FileCount {
  const total = (of: keyof FileCount): number => counts.reduce((all, count) => all + count[of], 0);
  return { passed: total('passed'), failed: total('failed'), skipped: total('skipped') };
}

const testsOf = (count: FileCount | undefined): number => (count ? count.passed + count.failed + count.skipped : 0);
