import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';
import { root } from '../stack/settings.ts';
import { describeFailure, readJest, readNode, readPlaywright, type PlaywrightTest } from './reports.ts';

const folder = mkdtempSync(join(tmpdir(), 'reports-'));
after(() => rmSync(folder, { recursive: true }));

test('reads the results of node:test', () => {
  const made = (name: string, text: string): string => {
    writeFileSync(join(folder, name), `import { describe, test } from 'node:test';\n${text}\n`);
    return join(folder, name);
  };
  const files = [
    made('good.test.ts', "test('a', () => {}); test('b', { skip: true }, () => {});"),
    made('bad.test.ts', "describe('d', () => { test('a', () => { throw new Error('no'); }); });"),
    made('broken.test.ts', 'throw new Error();'),
  ];
  const reporter = join(import.meta.dirname, 'files-reporter.ts');
  // The inherited settings would make it report to this test's runner.
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const { stdout } = spawnSync(
    process.execPath,
    ['--test', `--test-reporter=${reporter}`, '--test-reporter-destination=stdout', ...files],
    { encoding: 'utf8', env },
  );
  const report = readNode(stdout);
  const counts = new Map([...report.counts].map(([file, count]) => [relative(folder, file), count]));
  assert.deepEqual(counts.get('good.test.ts'), { passed: 1, failed: 0, skipped: 1 });
  assert.deepEqual(counts.get('bad.test.ts'), { passed: 0, failed: 1, skipped: 0 });
  assert.notEqual(counts.get('broken.test.ts')?.passed, 1);
  assert.deepEqual(
    report.failures.map((failure) => ({ ...failure, file: relative(folder, failure.file) })),
    [
      { file: 'bad.test.ts', line: 2, title: 'a', error: 'no' },
      { file: 'broken.test.ts', line: 1, title: files[2], error: 'test failed' },
    ],
  );
});

test('reads the results of jest', () => {
  const failing = { status: 'failed', fullName: 'c d', failureMessages: ['Error: no'] };
  const { counts, failures } = readJest({
    testResults: [
      { name: '/a.test.tsx', status: 'passed', assertionResults: [{ status: 'passed' }, { status: 'pending' }] },
      { name: '/b.test.tsx', status: 'failed', message: 'SyntaxError', assertionResults: [] },
      { name: '/c.test.tsx', status: 'failed', assertionResults: [failing, { status: 'passed' }] },
    ],
  });
  assert.deepEqual(
    counts,
    new Map([
      ['/a.test.tsx', { passed: 1, failed: 0, skipped: 1 }],
      ['/b.test.tsx', { passed: 0, failed: 1, skipped: 0 }],
      ['/c.test.tsx', { passed: 1, failed: 1, skipped: 0 }],
    ]),
  );
  assert.deepEqual(failures, [
    { file: '/b.test.tsx', title: 'did not start', error: 'SyntaxError' },
    { file: '/c.test.tsx', title: 'c d', error: 'Error: no' },
  ]);
});

test('reads the results of Playwright, those of suites in suites included', () => {
  const page = join(folder, 'error-context.md');
  writeFileSync(page, '# Error details\n\n- main\n\n# Page snapshot\n\n- banner\n  - main:\n    - heading "Oops"\n');
  const results: NonNullable<PlaywrightTest['results']> = [
    { attachments: [{ name: 'error-context', path: page }] },
    { error: { message: 'Error: no' } },
  ];
  const resultsOf: Readonly<Record<string, typeof results>> = {
    unexpected: results,
    flaky: [{ error: { message: 'Error: late' } }, {}],
  };
  const suite = (...statuses: string[]) => ({
    file: 'a.e2e.ts',
    specs: statuses.map((status, index) => ({
      title: `does ${index}`,
      line: index + 1,
      tests: [{ status, projectName: 'phone', results: resultsOf[status] ?? [] }],
    })),
  });
  assert.deepEqual(
    readPlaywright({
      config: { rootDir: '/e2e/src' },
      suites: [suite('expected', 'skipped'), { ...suite('flaky'), suites: [suite('expected', 'unexpected', 'flaky')] }],
    }),
    {
      counts: new Map([['/e2e/src/a.e2e.ts', { passed: 4, failed: 1, skipped: 1 }]]),
      failures: [{ file: '/e2e/src/a.e2e.ts', line: 2, title: '[phone] does 1', error: 'Error: no' }],
      flaky: [
        { file: '/e2e/src/a.e2e.ts', line: 1, title: '[phone] does 0', error: 'Error: late' },
        { file: '/e2e/src/a.e2e.ts', line: 3, title: '[phone] does 2', error: 'Error: late' },
      ],
      snapshots: ['a.e2e.ts:2 showed:\n  - main:\n    - heading "Oops"\n'],
    },
  );
});

test('describes a failure by its place, title and the beginning of its error', () => {
  const failure = { file: join(root, 'e2e/src/a.e2e.ts'), title: '[phone] goes' };
  const error = '\u001b[31mError\u001b[39m\n\nLocator: x\n\nCall log:\n- one\n- two';
  const lines = '[phone] goes\n  Error\n  Locator: x\n  Call log:\n  - one';
  assert.equal(describeFailure({ ...failure, line: 7, error }), `e2e/src/a.e2e.ts:7 ${lines}`);
  assert.equal(describeFailure({ ...failure, error }), `e2e/src/a.e2e.ts ${lines}`);
});
