import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../stack/settings.ts';
import { withOwners } from './owners.ts';

test('a new domain’s folders belong to its team, and nothing else changes owners', () => {
  const before = readFileSync(join(root, 'CODEOWNERS'), 'utf8');
  const after = withOwners(before, 'lab-results');
  const owner = (text: string, path: string): string | undefined =>
    text
      .split('\n')
      .findLast((line) => path.startsWith(line.split(' ', 1)[0] || '#') || line.startsWith('* '))
      ?.split(/ +/, 2)[1];
  for (const kind of ['mf', 'svc']) {
    assert.equal(owner(before, `/${kind}-lab-results/src/a.ts`), '@clinic/platform');
    assert.equal(owner(after, `/${kind}-lab-results/src/a.ts`), '@clinic/lab-results');
  }
  assert.deepEqual(
    after.split('\n').filter((line) => !line.includes('lab-results')),
    before.split('\n'),
  );
  assert.equal(withOwners(after, 'lab-results'), after);
});
