// Gathers the content of images from a copy of the repository.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { root } from '../stack/settings.ts';

test('a new version of a part reuses the installed dependencies, and is in the image', (t) => {
  const repository = mkdtempSync(join(tmpdir(), 'clinic-gather-'));
  t.after(() => rmSync(repository, { recursive: true }));
  for (const file of [
    ...globSync(['package*.json', '*/package.json', 'packages/*/package.json'], { cwd: root }),
    'scripts/images/gather.ts',
    'scripts/images/reduce-lock.ts',
  ]) {
    mkdirSync(dirname(join(repository, file)), { recursive: true });
    cpSync(join(root, file), join(repository, file));
  }
  const release = (file: string, version: string): void =>
    writeFileSync(
      join(repository, file),
      readFileSync(join(repository, file), 'utf8').replace(/"version": "[^"]+"/, `"version": "${version}"`),
    );
  let runs = 0;
  const gather = (...args: readonly string[]): string => {
    const out = join(repository, `out-${(runs += 1)}`);
    execFileSync(process.execPath, [join(repository, 'scripts/images/gather.ts'), out, ...args]);
    return out;
  };
  const manifestsIn = (out: string): ReadonlyMap<string, string> =>
    new Map(
      globSync('**/*.json', { cwd: join(out, 'manifests') })
        .toSorted()
        .map((file) => [file, readFileSync(join(out, 'manifests', file), 'utf8')]),
    );
  const versionIn = (out: string, part: string): unknown =>
    (JSON.parse(readFileSync(join(out, 'sources', part, 'package.json'), 'utf8')) as { version: string }).version;

  for (const [part, ...args] of [
    ['mf-clinic', '--build', 'shell', 'mf-*'],
    ['svc-clinic', 'svc-clinic'],
  ] as const) {
    const before = manifestsIn(gather(...args));
    assert.ok(before.has('package-lock.json') && before.has(`${part}/package.json`));
    release(`${part}/package.json`, '98.7.6');
    const out = gather(...args);
    assert.deepEqual(manifestsIn(out), before);
    assert.equal(versionIn(out, part), '98.7.6');
  }
  // A package that others depend on by version keeps it, because npm compares them.
  const before = manifestsIn(gather('svc-clinic'));
  release('packages/contracts/package.json', '98.7.6');
  assert.notDeepEqual(manifestsIn(gather('svc-clinic')), before);
});
