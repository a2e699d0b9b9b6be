// A node:test reporter that writes one line of JSON per failed test, and a last one that counts.
import { format } from 'node:util';

interface Reported {
  readonly type: string;
  readonly data: {
    readonly file?: string;
    readonly line?: number;
    readonly name?: string;
    readonly message?: string;
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

const stray = /generated asynchronous activity after the test ended/;

export default async function* filesReporter(events: AsyncIterable<Reported>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    const { file, line, name, message: said, details, success, counts } = data;
    // What node:test says of an error that belongs to no test.
    if (type === 'test:diagnostic' && said !== undefined && stray.test(said))
      yield `${JSON.stringify({ failure: { file: file ?? '', title: 'an error outside its tests', error: said } })}\n`;
    // Those who failed in a group have lines of their own.
    if (type === 'test:fail' && !data.todo && details?.error?.failureType !== 'subtestsFailed') {
      const { cause, message } = details?.error ?? {};
      const error = cause instanceof Error ? cause.message : format(cause ?? message);
      yield `${JSON.stringify({ failure: { file: file ?? '', line, title: name, error } })}\n`;
    }
    if (type !== 'test:summary' || !counts) continue;
    const { passed, skipped, todo, tests } = counts;
    const failed = tests - passed - skipped - todo;
    const count = { passed, failed: success === false ? Math.max(1, failed) : failed, skipped: skipped + todo };
    yield `${JSON.stringify({ count })}\n`;
  }
}
