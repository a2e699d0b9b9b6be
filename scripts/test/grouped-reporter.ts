// A node:test reporter for grouped-files.ts: writes a line of JSON per file when it ends, and one with what came after the
// last. It writes at once, as the next file may never return to the event loop, and tells that file to start only then.
import { EventEmitter, once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { format } from 'node:util';
import { progressVariable } from './batches.ts';
import { describeEvent, isStray, type Reported } from './files-reporter.ts';
import type { FileCount } from './ran.ts';
import type { Failure } from './reports.ts';

/** What becomes of a file of a group. */
export interface GroupedFile {
  /** Absolute. */
  readonly file: string;
  readonly count: FileCount;
  readonly failures: readonly Failure[];
  readonly ms: number;
}

const ends = new EventEmitter();

/** Waits until the file's results are written. */
export const whenEnded = (file: string): Promise<unknown> => once(ends, file);

const write = (line: object): void => appendFileSync(process.env[progressVariable] ?? '', `${JSON.stringify(line)}\n`);

/** Of the file that runs: node:test only tells of them when all have ended. */
const stray: string[] = [];
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => stray.push(format(error)));

/** What belongs to no test. An error in a timer of a test has failed that test already. */
const strayFailures = (file: string, failures: readonly Failure[]): Failure[] => {
  const errors = stray.splice(0);
  return failures.length > 0 ? [] : errors.map((error) => ({ file, title: 'an error outside its tests', error }));
};

export default async function* groupedReporter(events: AsyncIterable<Reported>): AsyncGenerator<string> {
  let [count, failures] = start();
  for await (const event of events) {
    const { type, data } = event;
    const isSuite = data.details?.type === 'suite';
    const isFile = isSuite && data.nesting === 0 && data.file?.endsWith('grouped-files.ts') === true;
    const failure = isStray(event) ? undefined : describeEvent(event);
    // A file that fails by itself threw an error outside its tests.
    if (failure) failures.push(isFile ? { ...broken, error: failure.error, file: data.name ?? '' } : failure);
    if (type === 'test:summary') write({ failures: [...failures, ...strayFailures('', failures)] });
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const isSkipped = (data.skip ?? data.todo) !== undefined;
    if (isSkipped && !isSuite) count.skipped += 1;
    // So does a suite.
    else if (type === 'test:fail' && (!isSuite || failure)) count.failed += 1;
    else if (!isSuite) count.passed += 1;
    if (!isFile) continue;
    const outside = strayFailures(data.name ?? '', failures);
    write({
      file: data.name ?? '',
      count: { ...count, failed: count.failed + outside.length },
      failures: [...failures, ...outside],
      ms: data.details?.duration_ms ?? 0,
    } satisfies GroupedFile);
    [count, failures] = start();
    ends.emit(data.name ?? '');
    yield '';
  }
}

const broken = { title: 'did not get to its end' };

const start = (): [{ -readonly [Key in keyof FileCount]: number }, Failure[]] => [
  { passed: 0, failed: 0, skipped: 0 },
  [],
];
