// Playwright's reporter that writes each file's begin, end and results as they come.
import { appendFileSync } from 'node:fs';
import type { FullConfig, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter';
import { progressVariable, type Progress } from '../../../scripts/test/batches.ts';
import type { PlaywrightTest } from '../../../scripts/test/reports.ts';

const write = (line: Progress<PlaywrightTest>): void =>
  appendFileSync(process.env[progressVariable] ?? '/dev/null', `${JSON.stringify(line)}\n`);

const projectOf = (test: TestCase): string => test.parent.project()?.name ?? '';
const nameOf = (test: TestCase): string => `${test.location.file}\t${projectOf(test)}`;

export default class ProgressReporter implements Reporter {
  /** Tests of a file in a project that haven't ended. */
  readonly #left = new Map<string, Set<string>>();

  onBegin(_config: FullConfig, suite: Suite): void {
    for (const test of suite.allTests())
      this.#left.set(nameOf(test), (this.#left.get(nameOf(test)) ?? new Set()).add(test.id));
    write({ planned: [...this.#left.keys()] });
  }

  onTestBegin(test: TestCase): void {
    write({ begun: nameOf(test) });
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const { file, line } = test.location;
    write({
      result: {
        file,
        line,
        title: test.title,
        projectName: projectOf(test),
        status: test.outcome(),
        results: test.results.map(({ error, attachments }) => ({
          ...(error && { error: { message: error.message ?? error.value ?? '' } }),
          attachments: attachments.map(({ name, path }) => ({ name, path })),
        })),
      },
    });
    const again = result.status !== test.expectedStatus && result.status !== 'skipped' && result.retry < test.retries;
    if (again) return;
    const left = this.#left.get(nameOf(test));
    left?.delete(test.id);
    if (left?.size === 0) write({ ended: nameOf(test) });
  }
}
