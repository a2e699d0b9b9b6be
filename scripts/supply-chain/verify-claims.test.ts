import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { root } from '../stack/settings.ts';
import { noteRan, readRan } from '../test/ran.ts';
import { stepOf } from '../test/selection.ts';
import { allClaims, claimsOf, objection, verifyClaims, type Claim } from './verify-claims.ts';

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

test('only the claims of the kinds that ran are checked, and those of skipped tests count as skipped', () => {
  const files = new Set(allClaims().map(({ file }) => file));
  const isOfContainers = (file: string): boolean => stepOf(file) === 'compose';
  assert.ok([...files].some(isOfContainers));
  noteRan(
    new Map([...files].map((file) => [file, { passed: isOfContainers(file) ? 0 : 1, failed: 0, skipped: 1 }])),
    list,
  );
  const { held, open, skipped } = verifyClaims(isOfContainers, readRan(list));
  assert.equal(held + open, 0);
  assert.ok(skipped > 0);
  assert.equal(verifyClaims((file) => !isOfContainers(file), readRan(list)).open, 0);
  // What didn't run at all doesn't hold.
  assert.equal(verifyClaims(isOfContainers, {}).open, skipped);
});
