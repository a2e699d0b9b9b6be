import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { root } from './stack/settings.ts';

/** Where a file's import statements lead, without types; `import()` isn't one. */
const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from '([^']+)'/gm)].map(
    ([, target = '']) => (target.startsWith('.') ? relative(root, join(root, dirname(file), target)) : target),
  );

test('a service outside demo mode loads nothing of a demo', () => {
  const programs = globSync('svc-*/src/main.ts', { cwd: root });
  assert.ok(programs.length >= 4);
  for (const program of programs) {
    const loaded = new Set([program]);
    for (const file of loaded) if (file.endsWith('.ts')) for (const target of importsOf(file)) loaded.add(target);
    assert.ok(loaded.size > 50, `${program} loads ${loaded.size}`);
    assert.deepEqual(
      [...loaded].filter((file) => /\/demo\/|^@clinic\/demo-data|^smtp-server$/.test(file)),
      [],
      program,
    );
  }
});
