import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../stack/settings.ts';

/** Runs the bundle of the build that it serves, for pages as HTML (docs/decisions/0021). */
const runsItsBuild = 'packages/static-server/src/html-pages.ts';

test('services and gateway start no processes, and evaluate no code', () => {
  const sources = globSync('{svc-*,gateway,packages/{service-kit,contracts,static-server}}/src/**/*.ts', {
    cwd: root,
  }).filter((file) => !/\.test\.ts$|\/testing\//.test(file));
  assert.ok(sources.length > 500, String(sources.length));
  const doing = /node:(?:child_process|vm|cluster)\b|\beval\(|new Function\(|\bFunction\('/;
  assert.deepEqual(
    sources.filter((file) => doing.test(readFileSync(join(root, file), 'utf8'))),
    [runsItsBuild],
  );
});
