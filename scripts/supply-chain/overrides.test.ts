import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../stack/settings.ts';

/** Why `overrides` of package.json replace what a package asks for; by an empty package, unless the reason says else. */
const reasons: Readonly<Record<string, string>> = {
  '@module-federation/enhanced': 'its command line, which builds don’t use',
  '@module-federation/rspack': 'a second bundler beside webpack',
  'fetch-blob': 'Node has streams of its own',
  firebase: 'pages use its app and auth alone',
  'firebase-admin': 'svc-identity uses accounts alone',
  'firebase-tools': 'of its emulators only Auth runs; others bring databases, and something to compile',
  verdaccio:
    'node-fetch is asked for by a tag, which may move; sanitize-filename needs packages without an allowed licence',
};

interface Package {
  readonly dependencies?: object;
  readonly optionalDependencies?: object;
  readonly peerDependencies?: object;
}

const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));

test('every override has a reason, and replaces what a package still asks for', () => {
  const { overrides } = read('package.json') as { readonly overrides: Readonly<Record<string, object>> };
  const { packages } = read('package-lock.json') as { readonly packages: Readonly<Record<string, Package>> };
  assert.deepEqual(Object.keys(overrides), Object.keys(reasons));
  const asked = (names: readonly string[]): Set<string> =>
    new Set(
      names.flatMap((name) => {
        const { dependencies, optionalDependencies, peerDependencies } = packages[name] ?? {};
        return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
      }),
    );
  for (const [parent, replaced] of Object.entries(overrides)) {
    // What verdaccio replaces, its plugins ask for.
    const found = asked(
      Object.keys(packages).filter(
        (path) => path.includes(`node_modules/${parent}`) || path.includes(`node_modules/@${parent}/`),
      ),
    );
    for (const name of Object.keys(replaced)) assert.ok(found.has(name), `nothing of ${parent} asks for ${name}`);
  }
});
