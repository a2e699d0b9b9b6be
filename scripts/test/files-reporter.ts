// A node:test reporter that writes one line of JSON per test file, and one per failed test.
import { format } from 'node:util';

interface Reported {
  readonly type: string;
  readonly data: {
    readonly file?: string;
    readonly line?: number;
    readonly name?: string;
    readonly todo?: string | boolean;
    readonly details?: {
      readonly error?: { readonly failureType?: string; readonly message: string; readonly cause?: unknown };
    };
    readonly success?: boolean;
    readonly counts?: {
      readonly passed: number;
      readonly skipped: number;
      readonly todo: number;
      readonly tests: number;
    };
  };
}

export default async function* filesReporter(events: AsyncIterable<Reported>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    const { file, line, name, details, success, counts } = data;
    // Those who failed in a group or a file have lines of their own.
    if (type === 'test:fail' && !data.todo && details?.error?.failureType !== 'subtestsFailed') {
      const { cause, message } = details?.error ?? {};
      const error = cause instanceof Error ? cause.message : format(cause ?? message);
      yield `${JSON.stringify({ failure: { file: file ?? '', line, title: name, error } })}\n`;
    }
    if (type !== 'test:summary' || file === undefined || !counts) continue;
    const { passed, skipped, todo, tests } = counts;
    const failed = tests - passed - skipped - todo;
    yield `${JSON.stringify({ file, passed, failed: success ? failed : Math.max(1, failed), skipped: skipped + todo })}\n`;
  }
}
