import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from './stack/settings.ts';

test('a workspace takes any version of a service’s contract: services are released alone', () => {
  const manifests = globSync(['{*,packages/*,scripts/new-domain/**/mf}/package.json{,.tpl}'], {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  });
  assert.ok(manifests.length > 20);
  const fixed = manifests.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/"(@clinic\/svc-[^"]+)": "([^"]+)"/g)]
      .filter(([, , version]) => version !== '*')
      .map(([, name]) => `${file}: ${name}`),
  );
  assert.deepEqual(fixed, []);
});
