import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../stack/settings.ts';

test('every file that docs/security.md names exists', () => {
  const text = readFileSync(join(root, 'docs/security.md'), 'utf8');
  const files = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.\w+)`/g)].map(([, file = '']) => file);
  const pages = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, page = '']) => join('docs', page));
  assert.ok(files.length > 100 && pages.length > 3);
  assert.deepEqual(
    [...new Set([...files, ...pages])].filter((file) => !existsSync(join(root, file))),
    [],
  );
  const commands = [...text.matchAll(/`npm run ([\w:]+)`/g)].map(([, name = '']) => name);
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  assert.deepEqual(
    commands.filter((name) => !(name in scripts)),
    [],
  );
});
