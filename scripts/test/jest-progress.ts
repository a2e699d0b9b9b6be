// jest's reporter that writes each file's begin and results as they come.
import { appendFileSync } from 'node:fs';
import type { Test, TestResult } from '@jest/reporters';
import { progressVariable, type Progress } from './batches.ts';
import type { JestFile } from './reports.ts';

const write = (line: Progress<JestFile>): void =>
  appendFileSync(process.env[progressVariable] ?? '/dev/null', `${JSON.stringify(line)}\n`);

export default class JestProgress {
  onTestFileStart({ path }: Test): void {
    write({ begun: path });
  }

  onTestFileResult({ path }: Test, { testResults, failureMessage, testExecError }: TestResult): void {
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
