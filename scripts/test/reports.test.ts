import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { root } from '../stack/settings.ts';
import { describeFailure, readJest, readPlaywright, type PlaywrightTest } from './reports.ts';

const folder = mkdtempSync(join(tmpdir(), 'reports-'));
after(() => rmSync(folder, { recursive: true }));

test('reads the results of jest', () => {
  const failing = { status: 'failed', fullName: 'c d', failureMessages: ['Error: no'] };
  const { counts, failures } = readJest([
    { name: '/a.test.tsx', status: 'passed', assertionResults: [{ status: 'passed' }, { status: 'pending' }] },
    { name: '/b.test.tsx', status: 'failed', message: 'SyntaxError', assertionResults: [] },
    { name: '/c.test.tsx', status: 'failed', assertionResults: [failing, { status: 'passed' }] },
  ]);
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

test('reads the results of Playwright, of which a test’s last one counts', () => {
  const page = join(folder, 'error-context.md');
  writeFileSync(page, '# Error details\n\n- main\n\n# Page snapshot\n\n- banner\n  - main:\n    - heading "Oops"\n');
  const file = join(root, 'e2e/src/a.e2e.ts');
  const one = (line: number, status: string, ...results: PlaywrightTest['results']): PlaywrightTest => ({
    file,
    line,
    title: `does ${line}`,
    projectName: 'phone',
    status,
    results,
  });
  const first = { attachments: [{ name: 'error-context', path: page }] };
  assert.deepEqual(
    readPlaywright([
      one(1, 'expected', {}),
      one(2, 'skipped', {}),
      one(3, 'unexpected', first),
      one(3, 'unexpected', first, { error: { message: 'Error: no' } }),
      one(4, 'unexpected', { error: { message: 'Error: late' } }),
      one(4, 'flaky', { error: { message: 'Error: late' } }, {}),
    ]),
    {
      counts: new Map([[file, { passed: 2, failed: 1, skipped: 1 }]]),
      failures: [{ file, line: 3, title: '[phone] does 3', error: 'Error: no' }],
      flaky: [{ file, line: 4, title: '[phone] does 4', error: 'Error: late' }],
      snapshots: ['e2e/src/a.e2e.ts:3 showed:\n  - main:\n    - heading "Oops"\n'],
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
