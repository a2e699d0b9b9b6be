// docs/architecture.md follows a booking through the code: a reader opens thirty-eight files at most.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../stack/settings.ts';

test('a booking passes through at most thirty-eight files', () => {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const [, walk = ''] = /^## A booking, file by file$([^]*?)^## /m.exec(text) ?? [];
  const steps = [...walk.matchAll(/^(\d+)\. `([^`]+)` .+\.$/gm)];
  const files = steps.map(([, , file = '']) => file);
  assert.deepEqual(
    steps.map(([, number]) => Number(number)),
    files.map((_, index) => index + 1),
  );
  assert.ok(files.length > 30 && files.length <= 38, `${files.length} files`);
  assert.equal(new Set(files).size, files.length);
});
