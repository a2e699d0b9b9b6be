import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileCount } from './ran.ts';
import { repeatFailed, type Run } from './repeat.ts';

/** A run of files, given as passed and failed tests. */
function runOf(files: Readonly<Record<string, readonly [passed: number, failed: number]>>): Run {
  const counts = new Map<string, FileCount>(
    Object.entries(files).map(([file, [passed, failed]]) => [file, { passed, failed, skipped: 0 }]),
  );
  const sum = (of: 'passed' | 'failed'): number => [...counts.values()].reduce((all, count) => all + count[of], 0);
  const failures = [...counts].flatMap(([file, { failed }]) =>
    Array.from({ length: failed }, (_, index) => ({ file, title: `t${index}`, error: 'no' })),
  );
  return { count: { passed: sum('passed'), failed: sum('failed'), skipped: 0 }, report: { counts, failures } };
}

test('a file that passes when repeated is flaky, with its first error', async () => {
  const first = runOf({ a: [3, 0], b: [2, 1] });
  const repeated: string[] = [];
  const { count, report, flaky } = await repeatFailed(first, (files) => {
    repeated.push(...files);
    return Promise.resolve(runOf({ b: [3, 0] }));
  });
  assert.deepEqual(repeated, ['b']);
  assert.deepEqual(count, { passed: 6, failed: 0, skipped: 0 });
  assert.deepEqual(report.failures, []);
  assert.deepEqual(report.counts.get('b'), { passed: 3, failed: 0, skipped: 0 });
  assert.deepEqual(flaky, [{ file: 'b', title: 't0', error: 'no' }]);
});

test('a file that fails again, or has lost a test, has failed', async () => {
  const first = runOf({ a: [3, 0], b: [2, 1] });
  for (const second of [runOf({ b: [2, 1] }), runOf({ b: [2, 0] }), runOf({})])
    assert.deepEqual(await repeatFailed(first, () => Promise.resolve(second)), { ...first, flaky: [] });
});

test('nothing is repeated after a good run, nor if many files failed or none is named', async () => {
  const never = (): Promise<Run> => assert.fail('was repeated');
  const unnamed = runOf({ a: [3, 0] });
  for (const first of [
    runOf({ a: [3, 0] }),
    runOf({ a: [0, 1], b: [0, 1], c: [0, 1] }),
    { ...unnamed, count: { ...unnamed.count, failed: 1 } },
  ])
    assert.deepEqual(await repeatFailed(first, never), { ...first, flaky: [] });
});
