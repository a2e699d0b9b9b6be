// jest's reporter that writes each file's begin and results as they come.
import { appendFileSync } from 'node:fs';
import { progressVariable, type Progress } from './batches.ts';
import type { JestFile } from './reports.ts';

/** The part of jest's results that is used here. */
interface TestResult {
  readonly testResults: JestFile['assertionResults'];
  readonly failureMessage?: string | null;
  readonly testExecError?: unknown;
}

const write = (line: Progress<JestFile>): void =>
  appendFileSync(process.env[progressVariable] ?? '/dev/null', `${JSON.stringify(line)}\n`);

export default class JestProgress {
  onTestFileStart({ path }: { readonly path: string }): void {
    write({ begun: path });
  }

  onTestFileResult(
    { path }: { readonly path: string },
    { testResults, failureMessage, testExecError }: TestResult,
  ): void {
    const failed = testExecError !== undefined || testResults.some(({ status }) => status === 'failed');
    const result: JestFile = {
      name: path,
      status: failed ? 'failed' : 'passed',
      message: failureMessage ?? '',
      assertionResults: testResults.map(({ status, fullName, failureMessages }) => ({
        status,
        fullName,
        failureMessages,
      })),
    };
    write({ result });
    write({ ended: path });
  }
}
