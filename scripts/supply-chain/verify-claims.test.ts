import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';
import { root } from '../stack/settings.ts';
import { countsOfJest, countsOfNode, countsOfPlaywright, flakyOfPlaywright, noteRan, readRan } from '../test/ran.ts';
import { allClaims, claimsOf, objection, type Claim } from './verify-claims.ts';

const folder = mkdtempSync(join(tmpdir(), 'verify-claims-'));
after(() => rmSync(folder, { recursive: true }));
const list = join(folder, 'ran.json');
const here = 'scripts/supply-chain/verify-claims.test.ts';
const claim = (file: string): Claim => ({ place: 'docs/x.md:1', what: '1.2.3', file });
const judge = (file: string): string | undefined => objection(claim(file), readRan(list));

test('finds each test named in a document, with its row', () => {
  const text =
    '# Title\nSee `tests/src/a.int.test.ts` and `tests/src/helper.ts`.\n| 1.1.1, 1.1.2 | what | `e2e/src/b.e2e.ts`; `shell/src/c.test.tsx`, `docs/d.md` |\n';
  assert.deepEqual(claimsOf('docs/x.md', text), [
    { place: 'docs/x.md:2', what: '', file: 'tests/src/a.int.test.ts' },
    { place: 'docs/x.md:3', what: '1.1.1, 1.1.2', file: 'e2e/src/b.e2e.ts' },
    { place: 'docs/x.md:3', what: '1.1.1, 1.1.2', file: 'shell/src/c.test.tsx' },
  ]);
  assert.ok(allClaims().filter(({ place }) => place.startsWith('docs/security.md')).length > 60);
});

test('a claim holds only if its test exists, has run in its current version, and passed', () => {
  assert.equal(judge('tests/src/never-written.test.ts'), 'there is no such file');
  assert.equal(judge(here), 'it has not run');
  noteRan(new Map([[join(root, here), { passed: 3, failed: 0, skipped: 1 }]]), list);
  assert.equal(judge(here), undefined);
  noteRan(new Map([[here, { passed: 3, failed: 1, skipped: 0 }]]), list);
  assert.match(judge(here) ?? '', /^1 of its tests failed \(20/);
  noteRan(new Map([[here, { passed: 0, failed: 0, skipped: 2 }]]), list);
  assert.equal(judge(here), 'all of its tests were skipped');
  noteRan(new Map([[here, { passed: 3, failed: 0, skipped: 0 }]]), list);
  writeFileSync(list, readFileSync(list, 'utf8').replace(/"sha256": "../, '"sha256": "!!'));
  assert.match(judge(here) ?? '', /^it was changed since it ran/);
});

test('reads the results per file from each runner', () => {
  const made = (name: string, text: string): string => {
    writeFileSync(join(folder, name), `import { test } from 'node:test';\n${text}\n`);
    return join(folder, name);
  };
  const files = [
    made('good.test.ts', "test('a', () => {}); test('b', { skip: true }, () => {});"),
    made('bad.test.ts', "test('a', () => { throw new Error('no'); });"),
    made('broken.test.ts', 'throw new Error();'),
  ];
  const reporter = join(root, 'scripts/test/files-reporter.ts');
  // The inherited settings would make it report to this test's runner.
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const { stdout } = spawnSync(
    process.execPath,
    ['--test', `--test-reporter=${reporter}`, '--test-reporter-destination=stdout', ...files],
    { encoding: 'utf8', env },
  );
  const counts = new Map([...countsOfNode(stdout)].map(([file, count]) => [relative(folder, file), count]));
  assert.deepEqual(counts.get('good.test.ts'), { passed: 1, failed: 0, skipped: 1 });
  assert.deepEqual(counts.get('bad.test.ts'), { passed: 0, failed: 1, skipped: 0 });
  assert.notEqual(counts.get('broken.test.ts')?.passed, 1);

  assert.deepEqual(
    countsOfJest({
      testResults: [
        { name: '/a.test.tsx', status: 'passed', assertionResults: [{ status: 'passed' }, { status: 'pending' }] },
        { name: '/b.test.tsx', status: 'failed', assertionResults: [] },
      ],
    }),
    new Map([
      ['/a.test.tsx', { passed: 1, failed: 0, skipped: 1 }],
      ['/b.test.tsx', { passed: 0, failed: 1, skipped: 0 }],
    ]),
  );

  const suite = (...statuses: string[]) => ({
    file: 'a.e2e.ts',
    specs: statuses.map((status, index) => ({
      title: `does ${index}`,
      line: index + 1,
      tests: [{ status, projectName: 'phone' }],
    })),
  });
  assert.deepEqual(
    countsOfPlaywright({
      config: { rootDir: '/e2e/src' },
      suites: [suite('expected', 'skipped'), { ...suite('flaky'), suites: [suite('unexpected')] }],
    }),
    new Map([['/e2e/src/a.e2e.ts', { passed: 2, failed: 1, skipped: 1 }]]),
  );
  assert.deepEqual(
    flakyOfPlaywright({
      suites: [suite('expected'), { ...suite('unexpected'), suites: [suite('expected', 'flaky')] }],
    }),
    ['[phone] a.e2e.ts:2 does 1'],
  );
});
