// Gathers the content of images from a copy of the repository.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { root } from '../stack/settings.ts';

/** A copy of the manifests, `gather`, and two files of each service. */
function openRepository(t: TestContext) {
  const repository = mkdtempSync(join(tmpdir(), 'clinic-gather-'));
  t.after(() => rmSync(repository, { recursive: true }));
  for (const file of [
    ...globSync(['package*.json', '*/package.json', '{packages,stand-ins}/*/package.json'], { cwd: root }),
    'scripts/images/gather.ts',
    'scripts/images/reduce-lock.ts',
    ...globSync('svc-*/src/{main,contract/calls}.ts', { cwd: root }),
  ]) {
    mkdirSync(dirname(join(repository, file)), { recursive: true });
    cpSync(join(root, file), join(repository, file));
  }
  let runs = 0;
  return {
    repository,
    gather: (...args: readonly string[]): string => {
      const out = join(repository, `out-${(runs += 1)}`);
      execFileSync(process.execPath, [join(repository, 'scripts/images/gather.ts'), out, ...args], { stdio: 'pipe' });
      return out;
    },
    edit: (file: string, change: (text: string) => string): void =>
      writeFileSync(join(repository, file), change(readFileSync(join(repository, file), 'utf8'))),
  };
}

const manifestsIn = (out: string): ReadonlyMap<string, string> =>
  new Map(
    globSync('**/*.json', { cwd: join(out, 'manifests') })
      .toSorted()
      .map((file) => [file, readFileSync(join(out, 'manifests', file), 'utf8')]),
  );

test('a new version of a part reuses the installed dependencies, and is in the image', (t) => {
  const { gather, edit } = openRepository(t);
  const release = (file: string, version: string): void =>
    edit(file, (text) => text.replace(/"version": "[^"]+"/, `"version": "${version}"`));
  const versionIn = (out: string, part: string): unknown =>
    (JSON.parse(readFileSync(join(out, 'sources', part, 'package.json'), 'utf8')) as { version: string }).version;

  for (const [part, ...args] of [
    ['mf-clinic', '--build', '--merged', 'shell', 'mf-*'],
    ['svc-clinic', 'svc-clinic'],
  ] as const) {
    const before = manifestsIn(gather(...args));
    assert.ok(before.has('package-lock.json'));
    release(`${part}/package.json`, '98.7.6');
    release('package.json', '98.7.6');
    release('package-lock.json', '98.7.6');
    const out = gather(...args);
    assert.deepEqual(manifestsIn(out), before);
    assert.equal(versionIn(out, part), '98.7.6');
  }
  // A package that others depend on by version keeps it, because npm compares them.
  const before = manifestsIn(gather('svc-clinic'));
  release('packages/contracts/package.json', '98.7.6');
  assert.notDeepEqual(manifestsIn(gather('svc-clinic')), before);
});

test('a new front-end with the same dependencies reuses the installation of all front-ends', (t) => {
  const { repository, gather, edit } = openRepository(t);
  const args = ['--build', '--merged', 'shell', 'mf-*'];
  const before = manifestsIn(gather(...args));
  mkdirSync(join(repository, 'mf-lab-results'));
  cpSync(join(repository, 'mf-clinic/package.json'), join(repository, 'mf-lab-results/package.json'));
  // It uses the contract of its own service.
  edit('mf-lab-results/package.json', (text) =>
    text
      .replaceAll('mf-clinic', 'mf-lab-results')
      .replace('"dependencies": {', '"dependencies": { "@clinic/svc-pharmacy": "1.0.0",'),
  );
  const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, object>;
  };
  const manifest = JSON.parse(readFileSync(join(repository, 'mf-lab-results/package.json'), 'utf8')) as object;
  lock.packages['mf-lab-results'] = manifest;
  lock.packages['node_modules/@clinic/mf-lab-results'] = { resolved: 'mf-lab-results', link: true };
  edit('package-lock.json', () => JSON.stringify(lock));
  const out = gather(...args);
  assert.deepEqual(manifestsIn(out), before);
  const own = join(gather('--build', 'mf-lab-results'), 'sources');
  assert.equal(realpathSync(join(own, 'node_modules/@clinic/svc-pharmacy')), realpathSync(join(own, 'svc-pharmacy')));
  // Otherwise every change of a service would build the front-ends anew that make its calls.
  assert.deepEqual(globSync('svc-*/src/**/*.ts', { cwd: own }).toSorted(), [
    'svc-clinic/src/contract/calls.ts',
    'svc-identity/src/contract/calls.ts',
    'svc-pharmacy/src/contract/calls.ts',
  ]);

  // One installation can't have two versions.
  edit('mf-lab-results/package.json', (text) => text.replace(/"@clinic\/ui": "[^"]+"/, '"@clinic/ui": "98.7.6"'));
  assert.throws(() => gather(...args), /all must use one version/);
});

// Builds of front-ends run the tables of calls, and have nothing else of a service.
test('the contract of a service needs nothing but the shared contracts and the validator', () => {
  const imports = globSync('svc-*/src/contract/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bfrom '([^']+)'/g)].map(
      ([, from = '']) => `${file}: ${from}`,
    ),
  );
  assert.ok(imports.length > 0);
  assert.deepEqual(
    imports.filter((line) => !/: (?:\.\/|@clinic\/contracts(?:\/|$)|zod$)/.test(line)),
    [],
  );
});
