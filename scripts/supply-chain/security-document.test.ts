import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../stack/settings.ts';

const text = readFileSync(join(root, 'docs/security.md'), 'utf8');

test('every row, point and paragraph of docs/security.md names its test, or is somebody else’s job', () => {
  // What the page is, whom it trusts and how to report a vulnerability claim nothing.
  const claiming = text
    .slice(text.indexOf('## Threats'), text.indexOf('## Reporting a vulnerability'))
    .split(/\n(?:\n|(?=[-|]))/)
    .map((block) => block.trim())
    .filter((block) => block !== '' && !/^(?:#|\|(?: [\w ]+ \|)+$|\|[-|]+$|\*\*Doesn't apply)/.test(block));
  assert.ok(claiming.length > 80, String(claiming.length));
  assert.deepEqual(
    claiming.filter((block) => !/\.(?:test\.tsx?|e2e\.ts)`|\*\*(?:Installation|Firebase):\*\*/.test(block)),
    [],
  );
});
