import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../stack/settings.ts';
import { providedNames } from './surface.ts';

test('the shell’s exports are read from its sources: functions, classes, values and re-exports, but not types', async () => {
  const names = await providedNames();
  const has = (library: string, ...some: readonly string[]): boolean =>
    some.every((name) => names[library]?.includes(name));
  assert.ok(has('@clinic/app-kit', 'useCall', 'ApiProblem', 'notify', 'Link', 'formatDate'));
  assert.ok(has('@clinic/ui', 'Button', 'brand', 'classNames') && has('@clinic/ui/charts', 'BarChart', 'toCsv'));
  for (const [library, type] of [
    ['@clinic/app-kit', 'RemoteModule'],
    ['@clinic/app-kit', 'UseCallOptions'],
    ['@clinic/ui', 'ButtonProps'],
    ['@clinic/ui/charts', 'Point'],
  ] as const) {
    assert.ok(!has(library, type), type);
  }
  // No export that remotes may use is missing.
  const { names: listed } = JSON.parse(readFileSync(join(root, 'shell/src/federation/surface.json'), 'utf8')) as {
    names: Record<string, readonly string[]>;
  };
  for (const [library, some] of Object.entries(listed)) assert.ok(has(library, ...some), library);
});
