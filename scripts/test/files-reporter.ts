// A node:test reporter that writes one line of JSON per failed test, and a last one that counts.
import { format } from 'node:util';
import type { Failure } from './reports.ts';

/** An event of node:test, as far as we read it. */
export interface Reported {
  readonly type: string;
  readonly data: {
    readonly file?: string;
    readonly line?: number;
    readonly name?: string;
    readonly nesting?: number;
    readonly message?: string;
    readonly skip?: string | boolean;
    readonly todo?: string | boolean;
    readonly details?: {
      readonly type?: string;
      readonly duration_ms?: number;
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

/** Whether it is what node:test says of an error that belongs to no test. */
export const isStray = ({ type, data: { message = '' } }: Reported): boolean =>
  type === 'test:diagnostic' && /generated asynchronous activity after the test ended/.test(message);

/** The failure that an event tells of. Those who failed in a group have events of their own. */
export function describeEvent(event: Reported): Failure | undefined {
  const { file = '', line, name = '', message, todo, details } = event.data;
  if (isStray(event)) return { file, title: 'an error outside its tests', error: message ?? '' };
  if (event.type !== 'test:fail' || todo || details?.error?.failureType === 'subtestsFailed') return undefined;
  const { cause, message: said } = details?.error ?? {};
  const error = cause instanceof Error ? cause.message : format(cause ?? said);
  return { file, ...(line !== undefined && { line }), title: name, error };
}

export default async function* filesReporter(events: AsyncIterable<Reported>): AsyncGenerator<string> {
  for await (const event of events) {
    const failure = describeEvent(event);
    if (failure) yield `${JSON.stringify({ failure })}\n`;
    const { success, counts } = event.data;
    if (event.type !== 'test:summary' || !counts) continue;
    const { passed, skipped, todo, tests } = counts;
    const failed = tests - passed - skipped - todo;
    const count = { passed, failed: success === false ? Math.max(1, failed) : failed, skipped: skipped + todo };
    yield `${JSON.stringify({ count })}\n`;
  }
}
